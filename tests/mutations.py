"""Damaged puzzle files, and what must hold for any of them: shared by the fuzz test and `fuzz_formats.py`.

It knows no layout. Invariant of the reader that `check` states: it ends, without an error, within `SECONDS`, and every
puzzle is made of digits that are in the file, in their order (saves that name the place of a cell may have any order).
"""

import io
import random
from collections import Counter
from collections.abc import Callable
from time import process_time

from checker.board import to_line
from checker.decoding import texts
from checker.formats import Puzzle, read

SECONDS = 2.0
_LETTERS = str.maketrans("bcdefghij", "123456789")  # of KSudoku
_PIECES = (
    *(
        b"\n",
        b"\r",
        b"\r\n",
        b"\n\n",
        b" ",
        b"\t",
        b",",
        b";",
        b"|",
        b"#",
        b"//",
        b"```\n",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
    ),
    *(b"[", b"]", b"{", b"}", b'"', b"'", b":", b"=", b"\\", b"[Puzzle]\n", b"[State]\n", b"Solution:\n", b"Grid 02\n"),
    *(b"<", b">", b"<opensudoku>", b"</opensudoku>", b"<game data='", b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"&a;"),
    *(b"\0", b"\xe9", "５".encode(), "·".encode(), b"+5", b"1e+77", b"puzzle,solution\n", b"https://a.b/?s="),
    *(b"---------", b"*---*", b"+---+---+---+\n", b".........", b"\x1b[2J", b"u5", b"123", b"9" * 81, b"." * 81),
)


def _cut(data: bytes, rng: random.Random) -> bytes:
    start, length = rng.randrange(len(data) + 1), rng.choice((1, 1, 1, 9, 10, 81, 300))
    return data[:start] + data[start + length :]


def _repeat(data: bytes, rng: random.Random) -> bytes:
    start, length = rng.randrange(len(data) + 1), rng.choice((1, 9, 10, 81, 82, 400))
    return (
        data[: start + length] + data[start : start + length] * rng.choice((1, 1, 2, 9, 100)) + data[start + length :]
    )


def _insert(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + rng.choice(_PIECES) + data[start:]


def _change(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + bytes([rng.choice(b"0123456789.-*_xX \n\t,|+[]{}<>\"':=/#\x00\xff")]) + data[start + 1 :]


def _swap_lines(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    rng.shuffle(lines)
    return b"".join(lines[: rng.randrange(len(lines) + 1)])


_MUTATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _cut,
    _repeat,
    _insert,
    _insert,
    _change,
    _change,
    _swap_lines,
)


def mutated(samples: list[bytes], rng: random.Random) -> bytes:
    """One of the samples, or the head of one and the tail of another, with up to eight mutations."""
    data = rng.choice(samples)
    if rng.random() < 0.2:
        other = rng.choice(samples)
        data = data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]
    for _ in range(rng.randrange(9)):
        data = rng.choice(_MUTATIONS)(data, rng)
    return data[:200_000]


def check(data: bytes) -> int:
    """Read `data`, state the invariant, and give the number of puzzles."""
    start = process_time()
    items = list(read(io.BytesIO(data), "f"))
    assert process_time() - start < SECONDS, "too slow"
    assert items, "neither a puzzle nor a refusal"
    text = "".join(texts(io.BytesIO(data)))
    text = text.translate(_LETTERS) if "ksudoku" in text else text
    digits = "".join(character for character in text if character in "123456789")
    puzzles = [to_line(item.clues).replace(".", "") for item in items if isinstance(item, Puzzle)]
    for given in set(puzzles):
        assert not Counter(given) - Counter(digits), f"{given} has digits that are not in the file"
        assert "position" in text or _in_order(given, digits), f"{given} is not in the order of the file"
    return len(puzzles)


def _in_order(given: str, digits: str) -> bool:
    rest = iter(digits)
    return all(digit in rest for digit in given)
