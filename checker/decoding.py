"""The bytes of a file as text, block by block, whatever encoding they came in.

It knows UTF-8, UTF-16 and UTF-32 (with a byte order mark; UTF-16 also without), and the look-alikes of the
characters that puzzles are written with: full-width digits, dashes, dots, spaces that do not break (also as the byte of
Latin-1). It knows no line and no layout.

Invariant: every character of the file gives one character here; a byte that is not UTF-8 gives a lone surrogate
(U+DC80 + byte - 0x80), never a cell; nothing is read after a NUL; binary data is one NUL.
"""

import codecs
from collections.abc import Iterator
from io import BufferedIOBase
from typing import BinaryIO, Final, cast

BLOCK: Final = 1 << 18  # bytes asked for at once; what a pipe holds is given as it comes
_SAMPLE: Final = 1024  # bytes by which binary data is told from text
_MARKS: Final = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_FULL_WIDTH: Final = {0xFF01 + offset: 0x21 + offset for offset in range(94)}  # ！ to ～ as ! to ~
_SPACES: Final = dict.fromkeys(map(ord, "\udca0\u00a0\u2002\u2003\u2007\u2009\u202f\u205f\u3000\u200b\ufeff"), " ")
_DASHES: Final = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
_DOTS: Final = dict.fromkeys(map(ord, "\u00b7\u2022\u2219\u22c5\u25e6\u30fb"), ".")
_LOOK_ALIKES: Final[dict[int, int | str]] = {**_FULL_WIDTH, **_SPACES, **_DASHES, **_DOTS}


def texts(stream: BinaryIO) -> Iterator[str]:
    """The text of `stream` in blocks of any length, as it comes."""
    blocks = _blocks(stream)
    head = b""
    while len(head) < 4 and (block := next(blocks, b"")):
        head += block
    codec = _codec(head)
    if codec == "utf-8-sig" and _binary(head[:_SAMPLE]):
        yield "\0"
        return
    decoder = codecs.getincrementaldecoder(codec)("surrogateescape" if codec == "utf-8-sig" else "replace")
    for block in _chain(head, blocks):
        text = decoder.decode(block, final=not block)
        text = text if text.isascii() else text.translate(_LOOK_ALIKES)
        end = text.find("\0") + 1
        yield text[: end or None]
        if end:
            return


def _binary(sample: bytes) -> bool:
    """Whether more than one in ten is a control character or no UTF-8: an archive, a picture, a program."""
    text = sample.decode("utf-8", "surrogateescape")
    odd = sum((c < " " and c not in "\t\n\v\f\r\x1b") or ("\udc80" <= c <= "\udcff" and c != "\udca0") for c in text)
    return 10 * odd > len(text)


def _blocks(stream: BinaryIO) -> Iterator[bytes]:
    buffered = cast(BufferedIOBase, stream)
    while block := buffered.read1(BLOCK):
        yield block


def _chain(head: bytes, blocks: Iterator[bytes]) -> Iterator[bytes]:
    if head:
        yield head
    yield from blocks
    yield b""


def _codec(head: bytes) -> str:
    for mark, codec in _MARKS.items():
        if head.startswith(mark):
            return codec
    zeros = [byte == 0 for byte in head[:4]]
    if zeros == [False, True, False, True]:
        return "utf-16-le"
    return "utf-16-be" if zeros == [True, False, True, False] else "utf-8-sig"
