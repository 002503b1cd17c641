"""Claims about the writers: what they write is read back as the same puzzles, whatever is in them."""

import io
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checker.board import Board, to_line
from checker.formats import Puzzle, read
from checker.writers import FORMATS, write

digits = st.one_of(st.integers(0, 9), st.just(0))
boards = st.lists(st.lists(digits, min_size=81, max_size=81).map(lambda v: np.array(v, dtype=np.int8)), max_size=12)


def text_of(found: list[Board], name: str) -> str:
    return "".join(write(found, FORMATS[name]))


@pytest.mark.parametrize("name", FORMATS)
@given(found=boards)
@settings(max_examples=25, deadline=None)
def test_what_is_written_is_read_back(name: str, found: list[Board]) -> None:
    text = text_of(found, name)
    assert text.isascii()
    items = list(read(io.BytesIO(text.encode()), name)) if found else []
    assert [to_line(item.clues) if isinstance(item, Puzzle) else str(item) for item in items] == list(
        map(to_line, found)
    )


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("fill", [0, 1])
def test_empty_and_full_boards_are_read_back_too(name: str, fill: int) -> None:
    board = np.full(81, fill, dtype=np.int8)
    items = list(read(io.BytesIO(text_of([board] * 3, name).encode()), name))
    assert [to_line(item.clues) for item in items if isinstance(item, Puzzle)] == [to_line(board)] * 3


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_is_written_for_no_puzzle(name: str) -> None:
    assert text_of([], name) == ""


def test_a_collection_is_well_formed_and_has_a_game_a_puzzle() -> None:
    root = ElementTree.fromstring(text_of([np.zeros(81, dtype=np.int8)] * 2, "opensudoku"))
    assert [game.get("data") for game in root.findall("game")] == ["0" * 81] * 2
