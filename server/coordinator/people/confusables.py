"""Letters that pass for Latin ones in a terminal's font.

Capitals and small letters apart, because they resemble different ones: a Greek Eta looks like H, but its
small form like n. Letters of whole styles (wide, bold, circled) are not here: NFKC makes them plain.
Compare Unicode Technical Standard 39, whose full table is far larger than what a name can be made of.
"""

from collections.abc import Mapping
from typing import Final

_LOOKALIKES: Final = {
    "2": "ƧƨϨꙄ",
    "3": "ЗзӠӡƷʒȜꞫ",
    "5": "Ƽ",
    "6": "бⳒᏮ",
    "8": "Ȣȣ",
    "9": "ⳊꝮ",
    "a": "ΑАᎪꓮαаɑᴀ",
    "b": "ΒВᏴꓐꞴвβьЬʙƀƅƄᏏ",
    "c": "СⲤᏟꓚςсⲥᴄꮯ",
    "d": "ᎠꓓĐƉÐԁđðɖᴅꓒᏧ",
    "e": "ΕЕᎬꓰƐΣеєεҽɛᴇꬲ",
    "f": "ϜꓝꞘƑƒꬵꞙքẝ",
    "g": "ԌᏀᏳꓖƓɡցƍᶃɢ",
    "h": "ΗНⲎᎻꓧĦһհħʜᏂн",
    "i": "ΙІӀⲒꓲƖƗіıɩɪιɨӏꙇꭵᎥ",
    "j": "ͿЈᎫꓙјϳᴊʝ",
    "k": "ΚКⲔᏦꓗƘкκᴋƙ",
    "l": "ⳐᏞꓡŁɭłʟƚǀ",
    "m": "ΜϺМⲘᎷꓟмᴍɱ",
    "n": "ΝⲚꓠИηпոռɴŋ",
    "o": "ΟОⲞՕꓳØƟοоօⲟσᴏᴑøɵꬽჿ",
    "p": "ΡРⲢᏢꓑрρⲣᴘþ",
    "q": "ⵕԚԛգզ",
    "r": "ƦᎡᏒꓣЯгᴦⲅʀꭇꭈяꮁ",
    "s": "ЅՏᏕᏚꓢѕꜱƽꮪ",
    "t": "ΤТⲦᎢꓔŦтτᴛŧ",
    "u": "ՍꓴЦυսᴜʋꞟꭎꭒц",
    "v": "ѴᏙꓦνѵᴠꮩ",
    "w": "ԜᎳᏔꓪωшԝѡաᴡɯꮃ",
    "x": "ΧХⲬꓫꞳхχ",
    "y": "ΥУҮⲨᎩᎽꓬуγүყʏɣᶌꭚỿ",
    "z": "ΖᏃꓜƵᴢʐƶꮓ",
}

# What is left of Unicode's own table: letters and digits of scripts that few people write.
# A digit is what it looks like here, not what it counts.
_OTHER_SCRIPTS: Final = {
    "2": "ᒿꛯꝚ",
    "3": "ⳌꝪ𑣊𖼻",
    "4": "Ꮞ𑢯",
    "5": "𑢻",
    "6": "𑣕",
    "7": "𐓒𑣆",
    "8": "৪੪𐌚",
    "9": "৭੧୨൭𑢬𑣌𑣖",
    "a": "ᗅ𐊠𖽀",
    "b": "ᗷ𐊂𐊡𐌁ᑲᖯ",
    "c": "𐊢𐌂𐐕𐔜𑣩𑣲𐐽",
    "d": "ᗞᗪᑯ",
    "e": "ⴹ𐊆𑢦𑢮",
    "f": "ᖴ𐊇𐊥𐔥𑢢𑣂",
    "h": "ᕼ𐋏",
    "i": "𑣃",
    "j": "ᒍ",
    "k": "ᛕ𐔘",
    "l": "ᒪ𐐛𐔦𑢣𑢲𖼖ᛁⵏ𐊊𐌉𐌠𖼨",
    "m": "ᗰᛖ𐊰𐌑",
    "n": "𐔓",
    "o": "ଠዐⵔ〇𐊒𐊫𐐄𐓂𐔖𑢵۵ഠဝ𐐬𐓪𑣈𑣗",
    "p": "ᑭ𐊕",
    "r": "ᖇ𐒴𖼵",
    "s": "𐊖𐐠𖼺𐑈𑣁",
    "t": "𐊗𐊱𐌕𑢼𖼊",
    "u": "ሀᑌ𐓎𑢸𖽂𐓶𑣘",
    "v": "۷ᐯⴸꛟ𐔝𑢠𖼈𑜆𑣀",
    "w": "𑣦𑣯𑜊𑜎𑜏",
    "x": "ᚷⵝ𐊐𐊴𐌗𐌢𐔧𑣬ᕁᕽ",
    "y": "𐊲𑢤𖽃𑣜",
    "z": "𐋵𑢩𑣥𑣄",
}


def _table(chars_of: Mapping[str, str]) -> dict[int, str]:
    return {ord(char): latin for latin, chars in chars_of.items() for char in chars}


OTHER_SCRIPTS: Final = _table(_OTHER_SCRIPTS)
"""To be taken before capitals become small, or digits those of ASCII."""
LOOKALIKES: Final = _table(_LOOKALIKES)
SAME: Final = str.maketrans({"i": "l", "1": "l", "0": "o"})
"""Within ASCII, once there are no capitals any more: I and l and 1, O and 0."""
