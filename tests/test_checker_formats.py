"""Claims about the reader: it gives the puzzle that was given, or refuses with file, line and reason."""

import io
import sys
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checker.board import Board, to_line
from checker.drawing import to_grid
from checker.formats import Puzzle, Refusal, read
from checker.generate import random_grid

GRID = random_grid(np.random.default_rng(5))
CLUES = np.where(np.random.default_rng(6).random(81) < 0.4, GRID, 0).astype(np.int8)
OTHER = np.where(np.random.default_rng(8).random(81) < 0.4, GRID, 0).astype(np.int8)
LINE = to_line(CLUES)
ROWS = [LINE[start : start + 9] for start in range(0, 81, 9)]
OTHER_ROWS = [to_line(OTHER)[start : start + 9] for start in range(0, 81, 9)]

boards = st.lists(st.integers(0, 9), min_size=81, max_size=81).map(lambda v: np.array(v, dtype=np.int8))


def items(text: str | bytes) -> list[Puzzle | Refusal]:
    return list(read(io.BytesIO(text if isinstance(text, bytes) else text.encode()), "f.txt"))


def puzzles(text: str | bytes) -> list[tuple[int, str]]:
    """Line and cells of every puzzle in a text that has nothing to refuse."""
    found = []
    for item in items(text):
        assert isinstance(item, Puzzle), str(item)
        assert item.file == "f.txt"
        found.append((item.line, to_line(item.clues)))
    return found


def refusal(text: str | bytes) -> str:
    """The one refusal of a text that gives nothing else."""
    (item,) = items(text)
    assert isinstance(item, Refusal)
    return str(item)


def boxed(row: str, bar: str, gap: str = " ") -> str:
    return f" {bar} ".join(gap.join(row[box : box + 3]) for box in (0, 3, 6))


# One puzzle a line


def test_one_puzzle_a_line_is_read_with_its_line_number() -> None:
    text = f"# ours\n\n{LINE}\n  # more\n{to_line(OTHER)}\n"
    assert puzzles(text) == [(3, LINE), (5, to_line(OTHER))]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", ""])
def test_every_line_end_is_read(end: str) -> None:
    assert puzzles(end.join([LINE, LINE][: 2 if end else 1]) + end)[-1][1] == LINE


def test_a_file_that_comes_byte_by_byte_is_read_the_same() -> None:
    class Drip(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            return self.read(1)

    text = "\r\n".join(["# \u00e9t\u00e9", LINE, "", *ROWS, f'{{"puzzle": "{LINE}"}}', "<a/>"]).encode()
    whole, dripped = items(text), list(read(Drip(text), "f.txt"))
    assert [(type(item), item.line) for item in dripped] == [(Puzzle, 2), (Puzzle, 4), (Puzzle, 13), (Refusal, 14)]
    assert [(type(item), item.line) for item in whole] == [(type(item), item.line) for item in dripped]


def test_a_line_too_long_among_plain_ones_shifts_nothing() -> None:
    found = items(f"{LINE}\n{LINE}1\n{LINE}\n{LINE[:80]}\n{LINE}\n")
    assert [(type(item), item.line) for item in found] == [
        (Puzzle, 1),
        (Refusal, 2),
        (Puzzle, 3),
        (Refusal, 4),
        (Puzzle, 5),
    ]


def test_a_byte_order_mark_is_no_cell() -> None:
    assert puzzles(b"\xef\xbb\xbf" + LINE.encode()) == [(1, LINE)]


@pytest.mark.parametrize("blank", "0.-*_xX ")
def test_every_blank_is_read_in_a_line(blank: str) -> None:
    assert puzzles(LINE.replace(".", blank)) == [(1, LINE)]


@pytest.mark.parametrize("rest", [" 7.2", ",easy", "; 26 clues", "# a name", "\tED=7.2/1.2/1.2", "   "])
def test_text_after_a_separator_is_not_part_of_the_puzzle(rest: str) -> None:
    assert puzzles(LINE + rest) == [(1, LINE)]


@pytest.mark.parametrize("rest", [",", " ", ";"])
def test_a_solution_on_the_line_is_no_puzzle_and_another_puzzle_is_refused(rest: str) -> None:
    assert puzzles(LINE + rest + to_line(GRID)) == [(1, LINE)]
    assert puzzles(to_line(GRID) + rest + LINE) == [(1, LINE)]
    assert "f.txt:1:83: found a second word of 81 cells" in refusal(LINE + rest + to_line(OTHER))
    assert "f.txt:1:83: found a second word of 80 cells" in refusal(LINE + rest + to_line(GRID)[:80])


@pytest.mark.parametrize("length", [80, 82, 90])
def test_a_line_of_another_length_is_refused_with_its_length(length: int) -> None:
    line = (LINE * 2)[:length]
    assert refusal(line) == f"f.txt:1:1: found {length} cells, expected 81 cells"


def test_a_space_is_a_cell_only_in_a_line_of_81_digits_and_spaces() -> None:
    assert "f.txt:1:2: found 80 cells" in refusal(" " + LINE[:80])
    assert puzzles(" " + to_line(GRID)[1:]) == [(1, "." + to_line(GRID)[1:])]
    assert "f.txt:1:3: found 79 cells" in refusal("  " + to_line(GRID)[2:] + " ")


def test_a_line_whose_spaces_were_trimmed_is_refused() -> None:
    line = ("." * 3 + LINE[3:78] + "." * 3).replace(".", " ")
    assert puzzles(line)[0][1].count(".") == line.count(" ")
    assert "expected 81 cells" in refusal(line.rstrip())
    assert "expected 81 cells" in refusal(line.lstrip())


def test_a_letter_is_refused_with_its_column() -> None:
    assert refusal("  " + LINE[:9] + "A" + LINE[10:]).startswith("f.txt:1:12: found the letter 'A', expected a digit")


@pytest.mark.parametrize(("cells", "size"), [(144, "12x12"), (256, "16x16"), (625, "25x25")])
def test_a_larger_puzzle_on_one_line_is_told_that_only_9x9_is_supported(cells: int, size: str) -> None:
    text = refusal(("12.3.." * 200)[:cells])
    assert text == f"f.txt:1:1: found {cells} cells ({size}), expected 81 cells: only 9x9 is supported"


def test_clashing_clues_are_left_to_the_judge() -> None:
    assert puzzles("99" + "." * 79) == [(1, "99" + "." * 79)]


def test_a_bad_line_does_not_stop_the_lines_after_it() -> None:
    found = items(f"{LINE}\n{LINE[:80]}\nwhat?\n{LINE}\n")
    assert [(type(item), item.line) for item in found] == [
        (Puzzle, 1),
        (Refusal, 2),
        (Refusal, 3),
        (Puzzle, 4),
    ]


# Drawn grids


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(ROWS),
        "\n".join(" ".join(row) for row in ROWS),
        "\n".join("\t".join(row) for row in ROWS),
        "\n".join("    " + " ".join(row) for row in ROWS),
        "\n".join(boxed(row, "|") for row in ROWS),
        "\n".join(boxed(row, "|", gap="") for row in ROWS),
        "\n\n".join("\n".join(ROWS[band : band + 3]) for band in (0, 3, 6)),
        "\n------+-------+------\n".join("\n".join(ROWS[band : band + 3]) for band in (0, 3, 6)),
        "\n---------\n".join("\n".join(ROWS[band : band + 3]) for band in (0, 3, 6)),
        "\n".join("|" + "|".join(row.replace(".", " ")) + "|" for row in ROWS),
        "\n".join("\N{BOX DRAWINGS DOUBLE VERTICAL}" + boxed(row, "\u2502") + "\u2551" for row in ROWS),
        "\n".join(row.replace(".", "-") for row in ROWS),
        "+" + "-" * 60 + "+\n" + "\n".join(boxed(row, "|") for row in ROWS),
    ],
)
def test_every_way_to_draw_nine_rows_gives_the_same_puzzle(text: str) -> None:
    assert [cells for _, cells in puzzles(text)] == [LINE]


@given(
    st.lists(boards, min_size=1, max_size=3),
    st.sampled_from(["\n", "\n\n", "\n# next\n", "\n\n\n"]),
    st.booleans(),
)
def test_several_drawn_grids_are_read_in_order(drawn: list[Board], gap: str, ascii_only: bool) -> None:
    text = gap.join(to_grid(board, board, ascii=ascii_only) for board in drawn)
    assert [cells for _, cells in puzzles(text)] == [to_line(board) for board in drawn]


def test_rows_that_are_open_in_dashes_are_rows_and_not_rules() -> None:
    rows = [ROWS[0], "." * 9, *ROWS[2:]]
    assert puzzles("\n".join(rows).replace(".", "-")) == [(1, "".join(rows))]


def test_nine_dashes_that_could_be_either_are_refused() -> None:
    text = "\n---------\n".join([*ROWS, ""])
    assert "expected 9 rows of 9 cells" in refusal(text)


@pytest.mark.parametrize("count", [1, 4, 6, 8, 10, 17])
def test_rows_too_few_or_too_many_are_refused_together(count: int) -> None:
    rows = "s" * (count != 1)
    found = f"found {count} row{rows} of 9 cells, expected 9 rows of 9 cells"
    assert found in refusal("\n".join((ROWS + OTHER_ROWS)[:count]))


@pytest.mark.parametrize("missing", range(9))
def test_a_grid_with_a_row_lost_is_never_completed_from_the_next_one(missing: int) -> None:
    rows = [row for number, row in enumerate(ROWS) if number != missing]
    found = items("\n".join(rows) + "\n\n" + "\n".join(OTHER_ROWS))
    assert isinstance(found[0], Refusal)
    assert [to_line(item.clues) for item in found[1:] if isinstance(item, Puzzle)] == [to_line(OTHER)]


def test_bands_that_make_no_whole_grids_are_refused_together() -> None:
    bands = ["\n".join(rows[band : band + 3]) for rows in (ROWS, OTHER_ROWS) for band in (0, 3, 6)]
    assert len(puzzles("\n\n".join(bands))) == 2
    assert "found 15 rows of 9 cells" in refusal("\n\n".join(bands[1:]))


def test_ragged_rows_of_81_cells_in_all_are_refused_with_their_lengths() -> None:
    rows = [ROWS[0], ROWS[1][:8], ROWS[2] + ROWS[1][8], *ROWS[3:]]
    assert "found rows of 9, 8, 10, 9, 9, 9, 9, 9, 9 cells, expected 9 rows" in refusal("\n".join(rows))


@pytest.mark.parametrize("size", [4, 6, 16])
def test_a_grid_of_another_size_is_told_that_only_9x9_is_supported(size: int) -> None:
    text = refusal("\n".join(" ".join("12.4." * 4)[: 2 * size - 1] for _ in range(size)))
    assert f"found a {size}x{size} grid" in text
    assert text.endswith("(only 9x9 is supported)")


@pytest.mark.parametrize("blank", [".", " "])
def test_a_puzzle_on_one_line_right_after_a_drawn_one_is_no_row_of_it(blank: str) -> None:
    text = "\n".join([*ROWS, to_line(OTHER).replace(".", blank), *ROWS])
    assert puzzles(text) == [(1, LINE), (10, to_line(OTHER)), (11, LINE)]


def test_pencil_marks_are_not_digits() -> None:
    rows = [" ".join(row) for row in ROWS]
    rows[4] = "12 " + rows[4][2:]
    assert "f.txt:5:1: found '12' in cell 1 of the row" in refusal("\n".join(rows))


def test_a_drawing_with_generated_digits_is_not_read_as_clues() -> None:
    assert not any(isinstance(item, Puzzle) for item in items(to_grid(GRID, CLUES, ascii=True)))


@pytest.mark.parametrize("gap", ["", " "])
def test_uneven_boxes_are_refused(gap: str) -> None:
    text = "\n".join(" | ".join(map(gap.join, (row[:2], row[2:6], row[6:]))) for row in ROWS)
    assert all(isinstance(item, Refusal) for item in items(text))


# What is not text


@pytest.mark.parametrize(
    ("text", "found"), [("", "an empty file"), ("\n# only\n\n", "no puzzle"), ("---\n", "no puzzle")]
)
def test_a_file_without_a_puzzle_is_refused(text: str, found: str) -> None:
    assert refusal(text) == f"f.txt:1:1: found {found}, expected at least one puzzle"


def test_binary_data_is_refused_once() -> None:
    assert "f.txt:1:1: found binary data, expected text" in refusal(b"\x89PNG\0\x01\n" + b"\xff\xfe\0\n" * 50)
    assert "f.txt:1:1: found binary data, expected text" in refusal(bytes(range(1, 256)) * 9)


def test_a_nul_byte_ends_the_reading_with_one_refusal() -> None:
    assert "f.txt:2:5: found binary data, expected text" in refusal(
        b"# " + b"ours " * 20 + b"\nabcd\0\n" + b"x\0\n" * 5
    )


def test_a_line_that_is_not_utf_8_is_refused_alone() -> None:
    found = items(b"caf\xe9\n" + LINE.encode())
    assert str(found[0]) == "f.txt:1:4: found the byte 0xe9, expected UTF-8 text"
    assert isinstance(found[1], Puzzle)


def test_a_line_that_is_not_text_is_no_gap_between_rows() -> None:
    text = "\n".join(ROWS[:4]).encode() + b"\n\xe9\n" + "\n".join(ROWS[4:]).encode()
    assert all(isinstance(item, Refusal) for item in items(text))


def test_an_endless_line_is_refused_without_being_held() -> None:
    found = items(b"1" * 1_000_000 + b"\n" + LINE.encode())
    assert "f.txt:1:65537: found a line of more than 65536 characters" in str(found[0])
    assert (found[1].line, len(found)) == (2, 2)


@pytest.mark.parametrize("gap", [1, 3, 9])
@pytest.mark.parametrize("most", [90, 98])
def test_endless_rows_without_a_whole_grid_between_gaps_are_refused_and_not_held(
    gap: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["checker.layouts.drawn"], "MOST_ROWS", most)
    rows = [row + "\n" * (number % gap == 0 and gap < 9) for number, row in enumerate(ROWS * 12, start=1)]
    assert len(puzzles("\n".join(rows[:90]))) == 10
    assert f"found more than {most} rows" in refusal("\n".join(rows))


def test_a_refusal_holds_no_control_character_of_the_file() -> None:
    assert "\x1b" not in refusal("\x1b[2Jboo!")


def test_puzzles_come_before_the_file_ends() -> None:
    class Endless(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            return LINE.encode() + b"\n"

    stream: Iterator[Puzzle | Refusal] = read(Endless(), "endless")
    assert [next(stream).line for _ in range(3)] == [1, 2, 3]


@given(st.binary(max_size=300))
def test_no_bytes_at_all_break_the_reader(data: bytes) -> None:
    assert items(data)


@given(st.text("123456789.-_|+ \n#x", max_size=400))
def test_a_puzzle_read_from_anything_has_its_digits_in_the_order_of_the_file(text: str) -> None:
    given_digits = "".join(
        c for line in text.split("\n") if not line.lstrip().startswith("#") for c in line if c.isdigit()
    )
    for item in items(text):
        if isinstance(item, Puzzle):
            assert to_line(item.clues).replace(".", "") in given_digits
