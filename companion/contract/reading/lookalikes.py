"""Detects names that look the same: words that mix alphabets, and different letters with the same shape.

Follows Unicode's UTS #39: a word must be "highly restrictive", and two names are confusable if their skeletons are
equal. The table covers the letters and digits of Latin, Cyrillic, Greek, Armenian, Chinese and Japanese from Unicode's
confusables.txt, without those that NFKC already unifies. The package `confusable_homoglyphs` has the complete file, but
needs 19 MB per process and computes no skeletons; the tests compare this table with it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from companion.engine.names import has_control_characters, plain_name, without_invisible

# in each group, every character looks like the first one
_TABLE = """
0OΟОՕ 1IlƖǀΙІӀ 2ƧꙄꝚ 3ƷȜЗӠꝪꞫ 5Ƽ 6б 8Ȣȣ 9Ꝯ AΑА BΒВꞴ CС EΕЕ FϜꞘ GԌ HΗН JͿЈꞲ KΚК MΜϺМ NΝ PΡР SЅՏ TΤТ UՍ
VѴ WԜ XΧХꞳ YΥУҮ ZΖ aɑαа bƄЬ cсᴄ dԁ eеҽꬲ fքẝꞙꬵ gƍɡցᶃ hһհ iıɩɪιіӏꙇ jϳј nոռ oοσоօᴏᴑꬽ pρр qԛգզ rгᴦꭇꭈ
sƽѕꜱ uʋυսᴜꞟꭎꭒ vνѵᴠ wɯѡԝաᴡ xх yɣʏγуүᶌỿꭚ ÞϷ ßβꞵ þƿϸ ĸκкᴋ ƅь ƆϽ ƏӘ ƐԐ ƨᴤꙅ ƩΣ ǝəә ǶԊ ȝʒӡꝫ ȷյ ɅΛЛ ɔͻᴐↄ
ɛεєԑꞓ ɜзᴈ ɢԍ ɰպ ɸφф ʌᴧ ʍмᴍ ʘꙨ ʙв ʜн ͰⱵ ͶИ ͷиᴎ ͽꜿ ΓГ ΠП ΦФՓ ΨѰ δծẟ πпᴨ τтᴛ χꭓꭕ ψѱ ωꙍꞷ ϿꜾ ЄꞒ яᴙ љꭠ ᴘᴩ
へヘ イ亻 エ工 カ力 タ夕 ト卜 ニ二 ハ八 ロ口囗 ꙌꞶ
"""
GROUPS = _TABLE.split()
_FIRST = str.maketrans({char: group[0] for group in GROUPS for char in group})
# alphabets that may be mixed; a letter's Unicode name starts with its alphabet
_MAY_BE_MIXED = (
    {"LATIN", "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA"},
    {"LATIN", "CJK", "IDEOGRAPHIC", "BOPOMOFO"},
    {"LATIN", "CJK", "IDEOGRAPHIC", "HANGUL"},
)
_ANY_ALPHABET = ("MODIFIER", "KATAKANA-HIRAGANA")  # letters that belong to no single alphabet
# unassigned ("Cn") isn't included: the letter or emoji may just be newer than Python's Unicode tables
_BLANK = {"Zs", "Zl", "Zp", "Mn", "Mc", "Me", "Cc", "Cf", "Cs", "Co"}
_CACHE_SIZE = 4096


def is_visible(text: str) -> bool:
    """Return whether a text has any visible character; an accent without a letter doesn't count."""
    return any(unicodedata.category(char) not in _BLANK for char in without_invisible(text))


def is_label(text: str, most: int) -> bool:
    """Return whether a text is a line that can be seen, of up to so many characters, spaces at its ends left out."""
    return is_visible(text) and not has_control_characters(text) and len(text.strip()) <= most


def mixes_alphabets(text: str) -> bool:
    """Return whether any word mixes alphabets that are never written together."""
    if text.isascii():
        return False
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", without_invisible(text)))
    return any(not _is_one_alphabet(_alphabets(word)) for word in words)


def _alphabets(word: str) -> set[str]:
    letters = (char for char in word if unicodedata.category(char)[0] == "L")
    alphabets = {unicodedata.name(char, "").split(" ")[0] for char in letters}
    return alphabets.difference(_ANY_ALPHABET)


def _is_one_alphabet(alphabets: set[str]) -> bool:
    return len(alphabets) < 2 or any(alphabets <= together for together in _MAY_BE_MIXED)


def look_alike(name: str, other_name: str) -> bool:
    """Return whether two names look the same as typed, in lower case or in upper case."""
    return any(a == b for a, b in zip(_skeletons(name), _skeletons(other_name), strict=True))


@lru_cache(_CACHE_SIZE)
def _skeletons(name: str) -> tuple[str, str, str]:
    plain = plain_name(name)
    typed, lower, upper = (
        unicodedata.normalize("NFD", text).translate(_FIRST) for text in (plain, plain.casefold(), plain.upper())
    )
    return typed, lower, upper
