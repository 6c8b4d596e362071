"""The account page: how this player comes back, and how another device becomes the same player."""

from collections.abc import Sequence

from server.ui.desk import Desk
from server.ui.frame import BLANK, Row, row
from server.ui.pages.reading import ReadingPage
from server.ui.screens.chrome import paragraph


class AccountPage(ReadingPage):
    """See the module."""

    same_key = "a"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._link = ""

    def title(self) -> str:
        """See ``ReadingPage``."""
        return self._desk.words.t("You are {name}", name=self._desk.player.name)

    def lines(self, width: int) -> Sequence[Row]:
        """See ``ReadingPage``."""
        words = self._desk.words
        if self._desk.player.guest:
            return self._guest(width)
        lines = paragraph(
            words.t(
                "Your SSH key is who you are here: whoever comes with it is back in your seat, with your "
                "results and settings. The names you have used belong to you alone."
            ),
            width,
        )
        lines.append(BLANK)
        if not self._link:
            text = words.t(
                "To be the same player from another device, with another key: press n for a code."
            )
            return [*lines, *paragraph(text, width)]
        lines += paragraph(
            words.t("On the other device, log in once within ten minutes, with this name:"), width
        )
        lines += [BLANK, self._login(self._link), BLANK]
        lines += paragraph(
            words.t(
                "From then on its key opens this account. If it has played here before, its results "
                "become yours. Whoever has the code can do it: show it to nobody."
            ),
            width,
        )
        return lines

    def _guest(self, width: int) -> Sequence[Row]:
        words, code = self._desk.words, self._desk.account.rejoin_code
        if not code:
            return paragraph(words.t("Nothing is kept here: you play in your own terminal."), width)
        lines = paragraph(
            words.t(
                "You have come without an SSH key, so this code is how you come back to your seat when the "
                "line has dropped. Log in with this name:"
            ),
            width,
        )
        lines += [BLANK, self._login(code), BLANK]
        lines += paragraph(
            words.t(
                "Whoever has the code is you: show it to nobody. It is good as long as you have a seat."
            ),
            width,
        )
        lines.append(BLANK)
        lines += paragraph(
            words.t(
                "With an SSH key you need none of this, and your name and results stay yours: "
                "`ssh-keygen -t ed25519` makes one."
            ),
            width,
        )
        return lines

    def _login(self, code: str) -> Row:
        return row("      ", ("strong", f"{self._desk.player.name}+{code}"))

    def key(self, name: str) -> None:
        """See ``Page``."""
        if name == "n" and not self._desk.player.guest:
            self._link = self._desk.account.link_code()
        else:
            super().key(name)
