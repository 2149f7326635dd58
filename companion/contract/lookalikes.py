"""Names that cannot be told apart by looking: letters of several alphabets in one word, or letters that look the same.

It follows Unicode's UTS #39: a word is "highly restrictive", and two names look alike when their skeletons are equal.
The table has the letters and digits of Latin, Cyrillic, Greek, Armenian, Chinese and Japanese of Unicode's
confusables.txt, and leaves out what is the same after NFKC. The package `confusable_homoglyphs` has the whole file, but
takes 19 MB in every process and makes no skeleton; the tests compare this table with it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# each word: characters that look like its first one
_TABLE = """
0OΟОՕ 1IlƖǀΙІӀ 2ƧꙄꝚ 3ƷȜЗӠꝪꞫ 5Ƽ 6б 8Ȣȣ 9Ꝯ AΑА BΒВꞴ CС EΕЕ FϜꞘ GԌ HΗН JͿЈꞲ KΚК MΜϺМ NΝ PΡР SЅՏ TΤТ UՍ
VѴ WԜ XΧХꞳ YΥУҮ ZΖ aɑαа bƄЬ cсᴄ dԁ eеҽꬲ fքẝꞙꬵ gƍɡցᶃ hһհ iıɩɪιіӏꙇ jϳј nոռ oοσоօᴏᴑꬽ pρр qԛգզ rгᴦꭇꭈ
sƽѕꜱ uʋυսᴜꞟꭎꭒ vνѵᴠ wɯѡԝաᴡ xх yɣʏγуүᶌỿꭚ ÞϷ ßβꞵ þƿϸ ĸκкᴋ ƅь ƆϽ ƏӘ ƐԐ ƨᴤꙅ ƩΣ ǝəә ǶԊ ȝʒӡꝫ ȷյ ɅΛЛ ɔͻᴐↄ
ɛεєԑꞓ ɜзᴈ ɢԍ ɰպ ɸφф ʌᴧ ʍмᴍ ʘꙨ ʙв ʜн ͰⱵ ͶИ ͷиᴎ ͽꜿ ΓГ ΠП ΦФՓ ΨѰ δծẟ πпᴨ τтᴛ χꭓꭕ ψѱ ωꙍꞷ ϿꜾ ЄꞒ яᴙ љꭠ ᴘᴩ
へヘ イ亻 エ工 カ力 タ夕 ト卜 ニ二 ハ八 ロ口囗 ꙌꞶ
"""
GROUPS = _TABLE.split()
_FIRST = str.maketrans({char: group[0] for group in GROUPS for char in group})
# Unicode's Default_Ignorable_Code_Point, and the controls; the blank of Braille shows as little
_UNSEEN = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e"
    "\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8"
    "\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff]"
)
# the alphabets that are written together; Unicode's name of a letter begins with its alphabet
_TOGETHER = (
    {"LATIN", "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA"},
    {"LATIN", "CJK", "IDEOGRAPHIC", "BOPOMOFO"},
    {"LATIN", "CJK", "IDEOGRAPHIC", "HANGUL"},
)
_OF_ALL = ("MODIFIER", "KATAKANA-HIRAGANA")  # letters of no alphabet of their own
# a letter or emoji that is newer than Python's Unicode ("Cn") may well show
_BLANK = {"Zs", "Zl", "Zp", "Mn", "Mc", "Me", "Cc", "Cf", "Cs", "Co"}
_KEPT = 4096


def without_unseen(text: str) -> str:
    """Give text without the characters that do not show."""
    return text if text.isascii() and text.isprintable() else _UNSEEN.sub("", text)


def is_visible(text: str) -> bool:
    """Tell whether anything of a text shows: an accent without a letter does not."""
    return any(unicodedata.category(char) not in _BLANK for char in without_unseen(text))


def mixes_alphabets(text: str) -> bool:
    """Tell whether a word of a text has letters of alphabets that are never written together."""
    if text.isascii():
        return False
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", without_unseen(text)))
    return any(not _is_one_alphabet(_alphabets(word)) for word in words)


def _alphabets(word: str) -> set[str]:
    letters = (char for char in word if unicodedata.category(char)[0] == "L")
    found = {unicodedata.name(char, "").split(" ")[0] for char in letters}
    return found.difference(_OF_ALL)


def _is_one_alphabet(found: set[str]) -> bool:
    return len(found) < 2 or any(found <= together for together in _TOGETHER)


def look_alike(one: str, other: str) -> bool:
    """Tell whether two names differ only by what looks the same, as typed or in either case."""
    return any(a == b for a, b in zip(_skeletons(one), _skeletons(other), strict=True))


@lru_cache(_KEPT)
def _skeletons(name: str) -> tuple[str, str, str]:
    plain = " ".join(unicodedata.normalize("NFKC", without_unseen(name)).split())
    typed, lower, upper = (
        unicodedata.normalize("NFD", text).translate(_FIRST) for text in (plain, plain.casefold(), plain.upper())
    )
    return typed, lower, upper
