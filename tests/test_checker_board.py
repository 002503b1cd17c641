"""Claims about the board's shape, its text and its drawing."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checker.board import (
    BLANKS,
    BOXES,
    COLUMNS,
    PEERS,
    ROWS,
    UNITS,
    Board,
    BoardError,
    cell_name,
    parse_line,
    to_line,
    unit_name,
)
from checker.drawing import to_grid
from checker.formats import Puzzle, read

boards = st.lists(st.integers(0, 9), min_size=81, max_size=81).map(lambda v: np.array(v, dtype=np.int8))


def test_the_units_are_nine_rows_then_nine_columns_then_nine_boxes() -> None:
    assert ROWS[3].tolist() == list(range(27, 36))
    assert COLUMNS[3].tolist() == list(range(3, 81, 9))
    assert BOXES[4].tolist() == [30, 31, 32, 39, 40, 41, 48, 49, 50]
    assert UNITS.tolist() == [*ROWS.tolist(), *COLUMNS.tolist(), *BOXES.tolist()]


def test_every_cell_has_the_twenty_peers_that_share_a_unit_with_it() -> None:
    for cell in range(81):
        row, column = divmod(cell, 9)
        expected = [
            other
            for other in range(81)
            if other != cell
            and (other // 9 == row or other % 9 == column or (other // 27, other % 9 // 3) == (row // 3, column // 3))
        ]
        assert PEERS[cell].tolist() == expected
        assert len(expected) == 20


def test_the_tables_cannot_be_changed() -> None:
    for table in (ROWS, COLUMNS, BOXES, UNITS, PEERS):
        with pytest.raises(ValueError, match="read-only"):
            table[0, 0] = 1


def test_names_count_from_one() -> None:
    assert [unit_name(unit) for unit in (0, 12, 26)] == ["row 1", "column 4", "box 9"]
    assert [cell_name(cell) for cell in (0, 33, 80)] == ["r1c1", "r4c7", "r9c9"]


@given(boards)
def test_a_board_written_as_a_line_reads_back_as_itself(board: Board) -> None:
    assert parse_line(to_line(board)).tolist() == board.tolist()


@given(boards, st.sampled_from(BLANKS))
def test_every_blank_stands_for_an_open_cell(board: Board, blank: str) -> None:
    assert parse_line(to_line(board).replace(".", blank)).tolist() == board.tolist()


@pytest.mark.parametrize("length", [0, 80, 82, 256])
def test_a_line_of_another_length_is_refused_with_its_length(length: int) -> None:
    with pytest.raises(BoardError, match=f"^found {length} characters, expected 81 characters$"):
        parse_line("." * length)


@pytest.mark.parametrize("character", ["A", "\N{SUPERSCRIPT FIVE}", "\N{FULLWIDTH DIGIT FIVE}", "\t", "+"])
def test_another_character_is_refused_with_its_column(character: str) -> None:
    with pytest.raises(BoardError, match="at column 7, expected a digit 1-9") as caught:
        parse_line("." * 6 + character + "." * 74)
    assert caught.value.column == 7


@pytest.mark.parametrize("value", [-1, 10, 127])
def test_an_array_with_another_value_is_not_written_as_a_board(value: int) -> None:
    board = np.zeros(81, dtype=np.int8)
    board[10] = value
    with pytest.raises(BoardError, match=f"^found {value} in r2c2, expected values from 0 to 9$"):
        to_line(board)


@pytest.mark.parametrize("board", [np.zeros(80, np.int8), np.zeros((9, 9), np.int8), np.zeros(81)])
def test_an_array_of_another_shape_or_type_is_not_written_as_a_board(board: Board) -> None:
    with pytest.raises(BoardError, match="expected 81 integers"):
        to_line(board)


@given(boards, st.booleans())
def test_a_drawing_of_clues_reads_back_as_the_same_clues(board: Board, ascii_only: bool) -> None:
    drawing = to_grid(board, board, ascii=ascii_only).encode()
    (item,) = read(io.BytesIO(drawing), "drawing")
    assert isinstance(item, Puzzle)
    assert item.clues.tolist() == board.tolist()


@given(boards, boards, st.booleans())
def test_a_drawing_has_thirteen_lines_of_equal_width(board: Board, clues: Board, ascii_only: bool) -> None:
    drawing = to_grid(board, clues, ascii=ascii_only)
    assert {len(line) for line in drawing.split("\n")} == {31}
    assert drawing.count("\n") == 12
    assert drawing.isascii() == ascii_only or not ascii_only


def test_a_drawing_tells_clues_from_generated_digits_without_colour() -> None:
    clues = parse_line("53..7...." + "." * 72)
    board = parse_line("534.7...." + "." * 72)
    assert to_grid(board, clues, ascii=True).split("\n")[1] == "| 5  3  4'| .  7  . | .  .  . |"


def test_a_value_that_is_no_digit_is_drawn_as_a_question_mark() -> None:
    board = np.full(81, -3, dtype=np.int8)
    assert to_grid(board, np.zeros(81, dtype=np.int8), ascii=True).count("?'") == 81
