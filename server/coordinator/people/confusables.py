"""Letters that pass for Latin ones in a terminal's font.

Capitals and small letters apart, because they resemble different ones: a Greek Eta looks like H, but its
small form like n. Letters of whole styles (wide, bold, circled) are not here: NFKC makes them plain.
Compare Unicode Technical Standard 39, whose full table is far larger than what a name can be made of.
"""

from typing import Final

_CAPITALS: Final = {
    "A": "ΑАᎪꓮ",
    "B": "ΒВᏴꓐꞴ",
    "C": "СⲤᏟꓚς",
    "D": "ᎠꓓĐƉÐ",
    "E": "ΕЕᎬꓰƐΣ",
    "F": "ϜꓝꞘƑ",
    "G": "ԌᏀᏳꓖƓ",
    "H": "ΗНⲎᎻꓧĦ",
    "I": "ΙІӀⲒꓲƖƗ",
    "J": "ͿЈᎫꓙ",
    "K": "ΚКⲔᏦꓗƘ",
    "L": "ⳐᏞꓡŁ",
    "M": "ΜϺМⲘᎷꓟ",
    "N": "ΝⲚꓠИ",
    "O": "ΟОⲞՕꓳØƟ",
    "P": "ΡРⲢᏢꓑ",
    "Q": "ⵕԚ",
    "R": "ƦᎡᏒꓣЯ",
    "S": "ЅՏᏕᏚꓢ",
    "T": "ΤТⲦᎢꓔŦ",
    "U": "ՍꓴЦ",
    "V": "ѴᏙꓦ",
    "W": "ԜᎳᏔꓪ",
    "X": "ΧХⲬꓫꞳ",
    "Y": "ΥУҮⲨᎩᎽꓬ",
    "Z": "ΖᏃꓜƵ",
}
_SMALL: Final = {
    "a": "αаɑᴀ",
    "b": "вβьЬʙƀƅƄᏏ",
    "c": "сⲥᴄꮯ",
    "d": "ԁđðɖᴅꓒᏧ",
    "e": "еєεҽɛᴇꬲ",
    "f": "ƒꬵꞙքẝ",
    "g": "ɡցƍᶃɢ",
    "h": "һհħʜᏂн",
    "i": "іıɩɪιɨӏꙇꭵᎥ",
    "j": "јϳᴊʝ",
    "k": "кκᴋƙ",
    "l": "ɭłʟƚǀ",
    "m": "мᴍɱ",
    "n": "ηпոռɴŋ",
    "o": "οоօⲟσᴏᴑøɵꬽჿ",
    "p": "рρⲣᴘþ",
    "q": "ԛգզ",
    "r": "гᴦⲅʀꭇꭈяꮁ",
    "s": "ѕꜱƽꮪ",
    "t": "тτᴛŧ",
    "u": "υսᴜʋꞟꭎꭒц",
    "v": "νѵᴠꮩ",
    "w": "ωшԝѡաᴡɯꮃ",
    "x": "хχ",
    "y": "уγүყʏɣᶌꭚỿ",
    "z": "ᴢʐƶꮓ",
}

_DIGITS: Final = {
    "2": "ƧƨϨꙄ",
    "3": "ЗзӠӡƷʒȜꞫ",
    "5": "Ƽ",
    "6": "бⳒᏮ",
    "8": "Ȣȣ",
    "9": "ⳊꝮ",
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
    "A": "ᗅ𐊠𖽀",
    "B": "ᗷ𐊂𐊡𐌁",
    "C": "𐊢𐌂𐐕𐔜𑣩𑣲",
    "D": "ᗞᗪ",
    "E": "ⴹ𐊆𑢦𑢮",
    "F": "ᖴ𐊇𐊥𐔥𑢢𑣂",
    "H": "ᕼ𐋏",
    "J": "ᒍ",
    "K": "ᛕ𐔘",
    "L": "ᒪ𐐛𐔦𑢣𑢲𖼖",
    "M": "ᗰᛖ𐊰𐌑",
    "N": "𐔓",
    "O": "ଠዐⵔ〇𐊒𐊫𐐄𐓂𐔖𑢵",
    "P": "ᑭ𐊕",
    "R": "ᖇ𐒴𖼵",
    "S": "𐊖𐐠𖼺",
    "T": "𐊗𐊱𐌕𑢼𖼊",
    "U": "ሀᑌ𐓎𑢸𖽂",
    "V": "۷ᐯⴸꛟ𐔝𑢠𖼈",
    "W": "𑣦𑣯",
    "X": "ᚷⵝ𐊐𐊴𐌗𐌢𐔧𑣬",
    "Y": "𐊲𑢤𖽃",
    "Z": "𐋵𑢩𑣥",
    "b": "ᑲᖯ",
    "c": "𐐽",
    "d": "ᑯ",
    "i": "𑣃",
    "l": "ᛁⵏ𐊊𐌉𐌠𖼨",
    "o": "۵ഠဝ𐐬𐓪𑣈𑣗",
    "s": "𐑈𑣁",
    "u": "𐓶𑣘",
    "v": "𑜆𑣀",
    "w": "𑜊𑜎𑜏",
    "x": "ᕁᕽ",
    "y": "𑣜",
    "z": "𑣄",
}

OTHER_SCRIPTS: Final = str.maketrans(
    {char: latin for latin, chars in _OTHER_SCRIPTS.items() for char in chars}
)
"""To be taken before capitals become small, or digits those of ASCII."""
LOOKALIKES: Final = str.maketrans(
    {
        char: latin
        for table in (_CAPITALS, _SMALL, _DIGITS)
        for latin, chars in table.items()
        for char in chars
    }
)
SAME: Final = str.maketrans({"i": "l", "1": "l", "0": "o"})
"""Within ASCII, once there are no capitals any more: I and l and 1, O and 0."""
