"""Version 8: more letters are taken for the Latin ones that they look like."""

from typing import Final

from server.storage.connection import Connection

_LOOK_LIKE: Final = str.maketrans(
    {
        char: latin
        for latin, chars in {
            "2": "ᒿꛯꝛ",
            "3": "ⳍꝫ𑣊𖼻",
            "4": "Ꮞ𑣏",
            "5": "𑣛",
            "7": "𐓺",
            "8": "𐌚",
            "9": "𑣌𑣖",
            "a": "ᗅ𐊠𖽀",
            "b": "ᑲᖯᗷ𐊂𐊡𐌁",
            "c": "𐊢𐌂𐐽𐔜𑣲",
            "d": "ᑯᗞᗪ",
            "e": "ⴹ𐊆𑣎",
            "f": "ᖴ𐊇𐊥𐔥𑣂",
            "h": "ᕼ𐋏",
            "j": "ᒍ",
            "k": "ᛕ𐔘",
            "l": "ᒪ𐑃𐔦𑣃𑣒𖼖ᛁⵏ𐊊𐌉𐌠𖼨",
            "m": "ᗰᛖ𐊰𐌑",
            "n": "𐔓",
            "o": "ഠဝ𐐬𐓪𑣈𑣗ଠዐⵔ〇𐊒𐊫𐔖",
            "p": "ᑭ𐊕",
            "r": "ᖇ𐓜𖼵",
            "s": "𐊖𐑈𖼺𑣁",
            "t": "𐊗𐊱𐌕𖼊",
            "u": "ሀᑌ𐓶𑣘𖽂",
            "v": "ᐯⴸꛟ𐔝𑣀𖼈𑜆",
            "w": "𑜊𑜎𑜏𑣯",
            "x": "ᕁᕽᚷⵝ𐊐𐊴𐌗𐌢𐔧𑣬",
            "y": "𐊲𖽃",
            "z": "𐋵𑣉",
        }.items()
        for char in chars
    }
)
"""As they stood in what names were compared by before. Those whose capitals look like something else than
their small forms are left alone: which it was is not known any more."""


def fill(connection: Connection) -> None:
    """Two names that were different stay with those who have them: then the later one stays as it is."""
    names = set(connection.execute("SELECT skeleton FROM names ORDER BY skeleton").scalars())
    for old in sorted(names):
        new = old.translate(_LOOK_LIKE)
        if new != old and new not in names:
            names.add(new)
            query = "UPDATE names SET skeleton = :new WHERE skeleton = :old"
            connection.execute(query, new=new, old=old)
    kept = "SELECT DISTINCT matched FROM bans WHERE kind = 'name' ORDER BY matched"
    for old in connection.execute(kept).scalars():
        query = "UPDATE bans SET matched = :new WHERE kind = 'name' AND matched = :old"
        connection.execute(query, new=old.translate(_LOOK_LIKE), old=old)
