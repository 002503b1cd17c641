"""Claims about the kinds of file that people have: each gives the clues it was given, and nothing else."""

import io
import json

import numpy as np
import pytest

from checker.board import to_line
from checker.formats import Puzzle, Refusal, read
from checker.generate import minimal_puzzle

PUZZLE, SOLUTION = (to_line(board) for board in minimal_puzzle(np.random.default_rng(31)))
OTHER, OTHER_SOLUTION = (to_line(board) for board in minimal_puzzle(np.random.default_rng(32)))
OPEN = [cell for cell in range(81) if PUZZLE[cell] == "."]
PLACED = PUZZLE[: OPEN[0]] + SOLUTION[OPEN[0]] + PUZZLE[OPEN[0] + 1 :]  # the puzzle and one digit of the player
SPACES = PUZZLE.replace(".", " ")
ZEROS = PUZZLE.replace(".", "0")


def rows(line: str) -> list[str]:
    return [line[first : first + 9] for first in range(0, 81, 9)]


def items(text: str | bytes) -> list[Puzzle | Refusal]:
    return list(read(io.BytesIO(text.encode() if isinstance(text, str) else text), "f"))


def lines(text: str | bytes) -> list[str]:
    """The puzzles of a text in which nothing is refused."""
    found = []
    for item in items(text):
        assert isinstance(item, Puzzle), str(item)
        found.append(to_line(item.clues))
    return found


def refusals(text: str | bytes) -> list[str]:
    """The refusals of a text that gives no puzzle."""
    found = items(text)
    assert not any(isinstance(item, Puzzle) for item in found)
    return [str(item) for item in found]


def grid(line: str) -> str:
    return "\n".join(rows(line)) + "\n"


def drawn_in_boxes(line: str, bar: str, cell: str, rule: str) -> str:
    text = [rule]
    for number, row in enumerate(rows(line), start=1):
        boxes = ["".join(cell.format(c) for c in row[box : box + 3]) for box in (0, 3, 6)]
        text.append(bar + bar.join(boxes) + bar)
        text.extend([rule] * (number % 3 == 0))
    return "\n".join(text) + "\n"


def candidates(line: str) -> str:
    return "\n".join(" ".join("1249" if c == "." else c for c in row) for row in rows(line))


# Lines


@pytest.mark.parametrize(
    "text",
    [
        "{p};",
        "17 {p}",
        "0001,{p},7.2",
        "{p}:1",
        "{p}:1:{s}",
        "{p}|{s}",
        '"{p}","{s}"',
        "{s};{p}",
        "0000183b305c {p}  1.2",
        "Puzzle 1: {p}",
        "{p} # not {o}",
        "Puzzle #3: {p} # {s}",
        "[12] {p}",
        "(3) {p} easy",
        "[easy] {p}",
        "{p} # 81 cells, by {s}",
        "{p}// {s}",
        "{p}\t26\teasy",
        ":0000:x:{p}:::",
        ":0100:6:{p}:641 242:r5c5:::",
        "https://sudoku.example/play?s={p}",
        "https://sudoku.example/play#{p}",
        "[play](https://sudoku.example/p/{p}/easy?x=1)",
        "see www.sudoku.example/?bd={p}&hints=1",
        "// {s}\n{p}",
        "; {s}\n{p}",
        "{r}",
        "{c}",
        "Solution: {s}\n{p}",
    ],
)
def test_what_stands_round_a_puzzle_on_its_line_is_not_read_for_it(text: str) -> None:
    filled = text.format(p=PUZZLE, s=SOLUTION, o=OTHER, r="/".join(rows(PUZZLE)), c=",".join(PUZZLE.replace(".", " ")))
    assert lines(filled) == [PUZZLE]


def test_a_placed_digit_is_no_clue_in_a_library_line() -> None:
    text = f":0003:4:{PUZZLE[: OPEN[0]]}+{SOLUTION[OPEN[0]]}{PUZZLE[OPEN[0] + 1 :]}:411:r5c5:::"
    assert lines(text) == [PUZZLE]


def test_a_link_without_81_cells_is_refused() -> None:
    assert "a link without 81 cells" in refusals(f"https://sudoku.example/?s={PUZZLE[:80]}")[0]


# Grids


@pytest.mark.parametrize(
    "text",
    [
        drawn_in_boxes(PUZZLE, "|", "{}", "+---+---+---+"),
        drawn_in_boxes(PUZZLE, "|", "{} ", "+------+------+------+"),
        drawn_in_boxes(PUZZLE.replace(".", " "), "|", "{}", "+---+---+---+"),
        drawn_in_boxes(PUZZLE.replace(".", " "), "|", " {} ", "+---------+---------+---------+"),
        drawn_in_boxes(PUZZLE.replace(".", " "), "\u2502", "{} ", "\u251c\u2500\u2500\u253c\u2500\u2500\u2524"),
        drawn_in_boxes(PUZZLE, "|", "{}", "*-----------*"),
        drawn_in_boxes(PUZZLE, "|", " {} ", ".---------.---------.---------."),
        drawn_in_boxes(PUZZLE, "|", " {} ", "'---------'---------'---------'"),
        drawn_in_boxes(PUZZLE, "|", " {} ", ":---------+---------+---------:"),
        "\n".join(",".join(row) for row in rows(ZEROS)),
        "\n".join(",".join(row) for row in rows(PUZZLE)),
        "\n".join(",".join(c.replace(".", "") for c in row) for row in rows(PUZZLE)),
        "\n".join(";".join(c.replace(".", "") for c in row) for row in rows(PUZZLE)),
        "\n".join("\t".join(c.replace(".", "") for c in row) for row in rows(PUZZLE)),
        "\n".join(",".join(f'"{c}"' for c in row) for row in rows(ZEROS)),
        "\n".join(",".join(row) + "," for row in rows(ZEROS)),
        "\n".join("| " + " | ".join(row) + " |" for row in rows(PUZZLE)),
        "```text\n" + grid(PUZZLE) + "```\n",
        "~~~\n" + grid(PUZZLE) + "~~~\n",
        "\n".join("    " + " ".join(row) for row in rows(PUZZLE)),
        "Grid 01\n" + grid(PUZZLE),
        "\n".join(" | ".join(" ".join(row[box : box + 3]) for box in (0, 3, 6)) for row in rows(SPACES)),
        "\n".join("|".join(row[box : box + 3] for box in (0, 3, 6)).rstrip() for row in rows(SPACES)),
        "\n".join(" | ".join(" ".join(row[box : box + 3]) for box in (0, 3, 6)).rstrip() for row in rows(SPACES)),
        "\n".join(" ".join(row) for row in rows(SPACES)),
        "\n\n".join(rows(PUZZLE)),
        grid(PUZZLE).replace("\n", "\r\r\n"),
        "\n".join(row + "  # a row" for row in rows(PUZZLE)),
        "\n\n".join("\n".join(rows(PUZZLE)[band : band + 3]) for band in (0, 3, 6)),
        "Puzzle #3 (hard):\n\n" + grid(PUZZLE),
        "Difficulty: easy\n" + grid(PUZZLE) + "\nSolution:\n" + grid(SOLUTION),
        candidates(PUZZLE),
        candidates(PUZZLE).replace("1249", "{1249}"),
        "#ASomebody\n#B2026-11-30\n" + grid(PUZZLE),
        f"[Puzzle]\n{grid(PUZZLE)}[State]\n{grid(PLACED)}[PencilMarks]\n" + ",12,,,3,,,,\n" * 9,
        f"[State]\n{grid(PLACED)}\n[Puzzle]\n{grid(PUZZLE)}",
        f"[Puzzle]\n{PUZZLE}\n[State]\n{PLACED}\n",
    ],
)
def test_every_drawing_gives_its_clues(text: str) -> None:
    assert lines(text) == [PUZZLE]


def test_the_rule_in_a_simple_sudoku_file_is_frame_and_its_corner_stars_are_no_blanks() -> None:
    text = drawn_in_boxes(PUZZLE, "|", "{}", "|---+---+---|").splitlines()
    text[0] = text[-1] = "*-----------*"
    assert lines("\n".join(text)) == [PUZZLE]


def test_grids_under_titles_are_read_in_order() -> None:
    assert lines(f"Grid 01\n{grid(ZEROS)}Grid 02\n{grid(OTHER)}") == [PUZZLE, OTHER]


def test_a_digit_that_the_user_put_into_a_candidate_grid_is_no_clue() -> None:
    cells = candidates(PUZZLE).split()
    cells[OPEN[0]] = "u" + SOLUTION[OPEN[0]]
    assert lines("\n".join(" ".join(cells[first : first + 9]) for first in range(0, 81, 9))) == [PUZZLE]


def test_an_incomplete_candidate_grid_is_refused() -> None:
    assert "found 8 rows of 9 cells" in refusals("\n".join(candidates(PUZZLE).splitlines()[:8]))[0]
    slip = SOLUTION[1] + SOLUTION[0]
    assert (
        f"found '{slip}' in cell 1" in refusals("\n".join([" ".join([slip, *SOLUTION[1:9]]), *rows(SOLUTION)[1:]]))[0]
    )
    assert "found '1944' in cell" in refusals(candidates(PUZZLE).replace("1249", "1944", 1))[0]


def test_letters_are_named_with_line_and_column() -> None:
    letters = PUZZLE.translate(str.maketrans("123456789", "ABCDEFGHI"))
    first = next(cell for cell in range(81) if letters[cell] != ".")
    assert refusals(letters)[0].startswith(f"f:1:{first + 1}: found the letter {letters[first]!r}")
    spaced = "\n".join(" ".join(row) for row in rows(letters))
    place = f"f:{first // 9 + 1}:{2 * (first % 9) + 1}: found the letter {letters[first]!r}"
    assert refusals(spaced)[0].startswith(place)


def test_a_superscript_is_no_digit() -> None:
    assert "f:1:1: found '\\xb2'" in refusals("\u00b2" + PUZZLE[1:])[0]


# Tables


@pytest.mark.parametrize("name", ["puzzle", "quizzes", "Unsolved", '"question"', "sudoku"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_column_named_like_a_puzzle_is_read(name: str, separator: str) -> None:
    head = separator.join(["id", "solution", name, "rating"])
    body = "\n".join(
        separator.join([str(number), solution, f'"{puzzle}"', "1.5"])
        for number, (puzzle, solution) in enumerate([(PUZZLE, SOLUTION), (OTHER, OTHER_SOLUTION)])
    )
    assert lines(f"{head}\n{body}\n") == [PUZZLE, OTHER]


def test_a_bad_row_of_a_table_is_refused_alone_with_its_line() -> None:
    found = items(f"puzzle,solution\n{PUZZLE},{SOLUTION}\n{PUZZLE[:80]},{SOLUTION}\n\n{OTHER},{OTHER_SOLUTION}\n")
    assert [(type(item), item.line) for item in found] == [(Puzzle, 2), (Refusal, 3), (Puzzle, 5)]


def test_a_row_without_the_column_of_the_puzzles_is_refused() -> None:
    assert "found 2 fields, expected a column 3 (puzzle)" in refusals(f"id,solution,puzzle\n1,{SOLUTION}\n")[0]


def test_what_a_spreadsheet_did_to_the_digits_is_said() -> None:
    assert "scientific notation" in refusals("puzzle,solution\n3.2183E+77,4.8392E+80\n")[0]
    assert "scientific notation" in refusals("puzzle,solution\n3,2183E+77,4,8392E+80\n")[0]
    assert "scientific notation" in refusals("3.2183E+77\n")[0]
    digits = "00" + ZEROS[2:]
    assert "leading zeros lost" in refusals(f"puzzle,solution\n{int(digits)},{SOLUTION}\n")[0]


def test_a_table_of_small_grids_is_not_glued_together() -> None:
    text = "Puzzle\tSolution\n" + "0321003004002100\t4321123434122143\n" * 6
    assert all("16 cells (4x4), expected 81 cells: only 9x9" in refusal for refusal in refusals(text))


def test_a_table_named_by_a_title_does_not_eat_the_grid_under_it() -> None:
    assert lines("Puzzle, easy\n" + grid(PUZZLE)) == [PUZZLE]


# JSON and lists


def saved(line: str, fixed: str) -> str:
    cells = [
        {"position": [cell // 9, cell % 9], "value": int(line[cell]), "fixed": fixed[cell] != ".", "earmarks": []}
        for cell in range(81)
        if line[cell] != "."
    ]
    return json.dumps({"difficulty_category": "easy", "time_elapsed": 1.5, "cells": cells}, indent=2)


NESTED = [[int(c) for c in row] for row in rows(ZEROS)]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"puzzle": PUZZLE, "solution": SOLUTION}),
        json.dumps({"solution": SOLUTION, "id": 4, "content": ZEROS}, indent=2),
        json.dumps([{"level": "easy", "board": NESTED}]),
        json.dumps({"newboard": {"grids": [{"value": NESTED, "solution": [[1] * 9] * 9, "difficulty": "Easy"}]}}),
        json.dumps([PUZZLE]),
        json.dumps(PUZZLE),
        json.dumps(NESTED),
        json.dumps(NESTED, indent=1),
        json.dumps([int(c) for c in ZEROS]),
        json.dumps(rows(PUZZLE)),
        json.dumps({"grid": [[None if c == "." else int(c) for c in row] for row in rows(PUZZLE)]}),
        json.dumps({"quiz": {"text": PUZZLE}, "solution": {"text": SOLUTION}}),
        json.dumps({"clues": PUZZLE, "state": PLACED}),
        json.dumps({"a": PUZZLE, "b": SOLUTION}),
        str(NESTED),
        f"board = {NESTED}",
        f"solution = {[[1] * 9] * 9}\nboard = np.array({NESTED})",
        str(np.array(NESTED)),
        str(np.array(NESTED, dtype=float)),
        "const board = [\n" + ",\n".join("  [" + ",".join(row) + "]" for row in rows(ZEROS)) + "\n];",
        "int board[9][9] = {\n" + ",\n".join("  {" + ",".join(row) + "}" for row in rows(ZEROS)) + "\n};",
        "{" + ",\n".join("{" + ",".join(row) + "}" for row in rows(ZEROS)) + "};",
        saved(PLACED, PUZZLE),
    ],
)
def test_every_nesting_gives_its_clues(text: str) -> None:
    assert lines(text) == [PUZZLE]


def test_documents_one_after_another_are_read_in_order_with_their_lines() -> None:
    text = "\n".join(json.dumps({"id": 1, "puzzle": puzzle}, indent=2) for puzzle in (PUZZLE, OTHER))
    assert [(item.line, to_line(item.clues)) for item in items(text) if isinstance(item, Puzzle)] == [
        (3, PUZZLE),
        (7, OTHER),
    ]
    assert lines(json.dumps([[PUZZLE, OTHER], [[int(c) for c in row] for row in rows(ZEROS)]])) == [
        PUZZLE,
        OTHER,
        PUZZLE,
    ]


def test_one_line_of_json_longer_than_a_line_may_be_is_read_in_pieces() -> None:
    text = json.dumps([{"puzzle": PUZZLE, "solution": SOLUTION}] * 2_000)
    assert lines(text) == [PUZZLE] * 2_000


@pytest.mark.parametrize("damage", ["?", "0]"])
def test_what_is_left_of_a_broken_document_is_not_read(damage: str) -> None:
    broken = json.dumps([{"id": 0, "board": NESTED, "puzzle": PUZZLE}], indent=2).replace("0", damage, 1)
    found = items(f'{broken}\n{{"puzzle": "{OTHER}"}}\n')
    assert [type(item) for item in found] == [Refusal, Puzzle]


def test_a_broken_document_is_refused_where_it_broke_and_the_next_one_is_read() -> None:
    found = items(f'{{"puzzle": "{PUZZLE}"\n{{"puzzle": "{OTHER}"}}\n')
    assert [to_line(item.clues) for item in found if isinstance(item, Puzzle)] == [OTHER]
    assert str(found[-1]).startswith("f:3:1: found the end of the file inside brackets")
    found = items(f'{{"puzzle": ?}}\n{{"puzzle": "{OTHER}"}}\n')
    assert str(found[0]).startswith("f:1:12: found '?'")
    assert [type(item) for item in found] == [Refusal, Puzzle]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (json.dumps(NESTED[:8]), "found 8 rows of 9 cells"),
        (json.dumps([NESTED[0][:8], *NESTED[1:]]), "found rows of 8, 9, 9"),
        (json.dumps([[1, 2, 3, 4]] * 4), "4 rows of 4 cells, expected 9 rows of 9 cells (only 9x9"),
        (json.dumps({"puzzle": PUZZLE[:80]}), "f:1:13: found 80 cells"),
        (json.dumps([[10, *NESTED[0][1:]], *NESTED[1:]]), "found '10' in row 1, cell 1"),
        ('[["A"' + json.dumps(NESTED)[3:], "found the letter 'A'"),
        ("[" * 100, "brackets more than 64 deep"),
        ("[[1, 2", "the end of the file inside brackets"),
        ("[[1, 2}", "found '}', expected ']'"),
    ],
)
def test_what_is_no_grid_of_nine_rows_of_nine_is_refused(text: str, reason: str) -> None:
    assert reason in refusals(text)[0]


# XML


def opensudoku(*games: str) -> str:
    body = "\n".join(f" <game data={game}/>" for game in games)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n<name>ours</name>\n{body}\n</opensudoku>\n'


def test_opensudoku_games_are_read_with_their_lines() -> None:
    found = items(opensudoku(f'"{ZEROS}"', f"'{OTHER}'"))
    assert [(item.line, to_line(item.clues)) for item in found if isinstance(item, Puzzle)] == [(4, PUZZLE), (5, OTHER)]


@pytest.mark.parametrize("notes", ["-", "0|0"])
def test_only_cells_that_cannot_be_edited_are_clues_of_a_saved_game(notes: str) -> None:
    cells = "".join(f"{(PLACED[cell]).replace('.', '0')}|{notes}|{int(PUZZLE[cell] == '.')}|" for cell in range(81))
    assert lines(opensudoku(f'"version: 2&#10;{cells}"')) == [PUZZLE]
    assert "found a saved game of" in refusals(opensudoku(f'"version: 2&#10;{cells[5:]}"'))[0]


def ksudoku(clues: str, solution: str) -> str:
    values, proof = (text.translate(str.maketrans(".123456789", "_bcdefghij")) for text in (clues, solution))
    return (
        '<!DOCTYPE ksudoku>\n<ksudoku>\n<game>\n<puzzle>\n<graph order="9" type="sudoku"/>\n'
        f"<values>{values}</values>\n<solution>{proof}</solution>\n</puzzle>\n<history/></game></ksudoku>"
    )


def test_a_ksudoku_save_is_read_where_its_solution_proves_the_letters() -> None:
    assert lines(ksudoku(PUZZLE, SOLUTION)) == [PUZZLE]
    assert "KSudoku XML is not supported otherwise" in refusals(ksudoku(PUZZLE, ""))[0]
    assert "KSudoku XML is not supported otherwise" in refusals(ksudoku(PUZZLE, OTHER_SOLUTION))[0]


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE x [<!ENTITY a "{p}">]>\n<opensudoku><game data="&a;"/></opensudoku>',
        '<!DOCTYPE x SYSTEM "file:///etc/hostname">\n<opensudoku><game data="{p}"/></opensudoku>',
        '<opensudoku><game data="&a;{p}"/></opensudoku>',
        '<opensudoku><game data="{p}/></opensudoku>',
        "<svg><game data='{p}'/></svg>",
        "<opensudoku><game/></opensudoku>",
        "<opensudoku><game data='{q}'/></opensudoku>",
        "<!-- {p} -->",
        "<opensudoku>\n",
    ],
)
def test_entities_and_broken_or_other_documents_are_refused(text: str) -> None:
    assert len(refusals(text.format(p=PUZZLE, q=PUZZLE[:80]))) == 1


def test_a_tag_without_end_is_not_held() -> None:
    assert "an XML tag of more than 1048576 characters" in refusals("<opensudoku a='" + "x" * 3_000_000)[0]


# Encodings


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_encoding_and_line_end_is_read(encoding: str, end: str) -> None:
    text = f"# \u00e9t\u00e9\n{PUZZLE}\n{grid(OTHER)}".replace("\n", end)
    assert lines(text.encode(encoding)) == [PUZZLE, OTHER]


def test_look_alikes_are_read_as_what_they_look_like() -> None:
    wide = "".join(chr(ord(c) + 0xFEE0) for c in PUZZLE)
    assert lines(wide) == [PUZZLE]
    assert lines("\n".join("\u00a0".join(row) for row in rows(PUZZLE))) == [PUZZLE]
    assert lines(PUZZLE.replace(".", "\u00b7")) == [PUZZLE]
    assert lines(PUZZLE.replace(".", "\u00a0")) == [PUZZLE]


def test_a_comment_that_is_not_text_is_still_a_comment() -> None:
    assert lines(b"# caf\xe9\n" + PUZZLE.encode()) == [PUZZLE]


# Kinds that look like another


def test_sections_of_a_name_that_says_nothing_are_read() -> None:
    assert lines(f"[Easy]\n{PUZZLE}\n[State]\n{PLACED}\n[Hard]\n{OTHER}\n") == [PUZZLE, OTHER]


@pytest.mark.parametrize("name", ["sudoku_puzzle", "Puzzle String", "unsolved grid"])
def test_a_column_is_known_by_a_word_of_its_name(name: str) -> None:
    assert lines(f"puzzle_id,solved_puzzle,{name}\n1,{SOLUTION},{PUZZLE}\n") == [PUZZLE]


@pytest.mark.parametrize("row", ["[{}]", "[{}],", "{{{}}},", "({})"])
def test_a_list_a_line_is_a_row(row: str) -> None:
    assert lines("\n".join(row.format(",".join(cells)) for cells in rows(ZEROS))) == [PUZZLE]
    assert lines("\n".join(row.format(", ".join(f"'{c}'" for c in cells)) for cells in rows(PUZZLE))) == [PUZZLE]


def test_rows_of_nine_digits_and_spaces_are_read() -> None:
    assert lines(grid(PUZZLE.replace(".", " "))) == [PUZZLE]
    assert "found 9 rows of 5 cells" in refusals("1 2 3 4 5\n" * 9)[0]


def test_a_row_without_any_digit_may_be_nine_spaces_or_eight_tabs() -> None:
    empty = PUZZLE[:27] + "." * 9 + PUZZLE[36:]
    assert lines(grid(empty.replace(".", " "))) == [empty]
    assert lines("\n".join("\t".join(c.replace(".", "") for c in row) for row in rows(empty))) == [empty]


def test_the_rule_of_a_markdown_table_is_no_row() -> None:
    text = ["| " + " | ".join(row) + " |" for row in rows(PUZZLE)]
    assert lines("\n".join([text[0], "|:-:" * 9 + "|", *text[1:]])) == [PUZZLE]


@pytest.mark.parametrize("title", ["1.", "(2)", "03:", "Sample 12", "No. 4", "Level: hard, 27 clues"])
def test_a_number_or_a_name_over_a_grid_is_its_title(title: str) -> None:
    assert lines(f"{title}\n{grid(PUZZLE)}\n{title}\n{grid(OTHER)}") == [PUZZLE, OTHER]


def test_a_row_of_candidates_that_are_all_open_is_no_puzzle_of_its_own() -> None:
    text = "\n".join([" ".join(["123456789"] * 9), *candidates(PUZZLE).splitlines()[1:]])
    assert lines(text) == ["." * 9 + PUZZLE[9:]]


def test_escapes_in_a_string_are_read() -> None:
    assert lines(json.dumps({"puzzle": grid(PUZZLE)})) == [PUZZLE]


def test_a_byte_order_mark_and_a_latin_space_inside_a_file_are_spaces() -> None:
    bom = b"\xef\xbb\xbf"
    assert lines(bom + PUZZLE.encode() + b"\n" + bom + OTHER.encode()) == [PUZZLE, OTHER]
    assert lines(b"\n".join(b"\xa0".join(c.encode() for c in row) for row in rows(PUZZLE))) == [PUZZLE]


def test_what_is_said_on_the_line_of_a_solution_takes_no_other_line_with_it() -> None:
    assert lines(f"- puzzle: {PUZZLE}\n  solution: none yet\n- puzzle: {OTHER}\n") == [PUZZLE, OTHER]
    assert lines(f"Puzzle: {PUZZLE}\nSolution: {SOLUTION}\nPuzzle: {OTHER}\n") == [PUZZLE, OTHER]


def test_single_rows_and_bands_that_make_no_grid_of_their_own_are_refused() -> None:
    assert "found 8 rows of 9 cells" in refusals("\n\n".join(rows(PUZZLE)[:8]))[0]
    found = items(rows(OTHER)[0] + "\n\n" + "\n\n".join("\n".join(rows(PUZZLE)[band : band + 3]) for band in (0, 3, 6)))
    assert [type(item) for item in found] == [Refusal, Puzzle]
