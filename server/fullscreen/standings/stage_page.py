"""The page after a stage."""

from typing_extensions import override

from server.fullscreen.pages.page import TALK, TO_LEAVE, TO_LOBBY, Page
from server.fullscreen.people.page import people_key
from server.fullscreen.standings.stage import stage_screen
from server.fullscreen.table.focus import next_round_said
from server.fullscreen.table.log_pages import LogPage
from server.i18n.lookup import _
from server.playback.reveal_player import SummaryScene
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame
from server.terminal.keys.key_table import Key, KeyTable


class StagePage(Page):
    """A stage has been scored; Space goes on."""

    CHATS = True
    LARGEST = Size(164, 30)
    KEYS = KeyTable["StagePage"](
        *TALK,
        Key(" ", does=lambda page: page.context.reveal.skip(), footer=_("go on")),
        Key("L", "tab", does=lambda page: page.show_page(LogPage), footer=_("log")),
        people_key("I", of=lambda page: page.context.people_named),
        TO_LEAVE,
        TO_LOBBY,
    )

    @override
    def frame(self, size: Size) -> Frame:
        context, table = self.context, self.table
        scene = context.reveal.scene
        assert isinstance(scene, SummaryScene)
        info = context.reveal.played_by or table.info
        said = context.said if context.said[1] else ("strong", context.lesson)
        if not said[1]:
            now, seconds = context.clock.time(), context.reveal.seconds
            said = next_round_said(table, now, context.look, seconds, last=scene.last)
        return stage_screen(info, scene, table.seat, said, self.footer(), size, context.look)
