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
