"""A table or a plain file of puzzles gives a sample or a refusal a row, each with its line."""

import gzip
import os
import re

import pytest
from scripted import ScriptedSolver, solved_at

from checker.board import to_line
from checker.formats import Refusal
from checker.generate import puzzles
from sudoku_ncm.errors import UsageError
from sudoku_ncm.evaluation.dataset import samples
from sudoku_ncm.evaluation.run import run_batch
from sudoku_ncm.policy import Options

PAIRS = [(to_line(puzzle), to_line(solution)) for puzzle, solution in puzzles(7, seed=6, lo=28, hi=40)]


@pytest.fixture
def file(tmp_path):
    """Puzzles in two strata, columns in an odd order."""
    rows = [f"{'odd' if n % 2 else 'even'},{solution},{n},{puzzle}" for n, (puzzle, solution) in enumerate(PAIRS)]
    path = tmp_path / "set.csv"
    path.write_text("\n".join(["stratum,solution,rating,puzzle", *rows, ""]))
    return path


def test_a_table_is_read_by_its_header_and_a_plain_file_by_its_layout(file, tmp_path):
    plain = tmp_path / "plain.txt"
    plain.write_text("# ours\n" + "\n".join(puzzle for puzzle, _ in PAIRS))
    table, lines = list(samples((str(file),))), list(samples((str(plain),)))
    assert [to_line(sample.clues) for sample in table] == [to_line(sample.clues) for sample in lines]
    assert [to_line(sample.solution) for sample in table] == [solution for _, solution in PAIRS]
    assert [sample.stratum for sample in table][:2] == ["even", "odd"]
    assert {sample.stratum for sample in lines} == {"plain"}
    assert (lines[0].line, lines[0].solution) == (2, None)


def test_a_table_without_strata_takes_its_name_and_a_byte_order_mark_is_no_letter(tmp_path):
    path = tmp_path / "excel.csv"
    path.write_text("puzzle,note\r\n" + PAIRS[0][0] + ",x\r\n", encoding="utf-8-sig", newline="")
    assert [(sample.stratum, sample.line) for sample in samples((str(path),))] == [("excel", 2)]


def test_a_packed_file_reads_like_the_file(file, tmp_path):
    plain, packed = tmp_path / "plain.txt", [tmp_path / "set.csv.gz", tmp_path / "plain.txt.gz"]
    plain.write_text("\n".join(puzzle for puzzle, _ in PAIRS))
    for path, source in zip(packed, (file, plain), strict=True):
        path.write_bytes(gzip.compress(source.read_bytes()))
        found, wanted = list(samples((str(path),))), list(samples((str(source),)))
        assert [(to_line(s.clues), s.line) for s in found] == [(to_line(s.clues), s.line) for s in wanted]


BAD = {
    "short": "even,,1,123",
    "empty": "even",
    "letter": f"even,,1,{PAIRS[0][0][:-1]}q",
    "open quote": f'even,,"1,{PAIRS[0][0]}',
    "huge": "even,,1," + "1" * 150_000,
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_row_is_refused_with_its_line_and_the_rows_around_it_count(file, name):
    rows = file.read_text().splitlines()
    file.write_text("\n".join([*rows[:3], BAD[name], *rows[4:]]))
    found = list(samples((str(file),)))
    assert [type(item) is Refusal for item in found] == [False, False, True, False, False, False, False]
    assert re.match(rf"{file}:4(:\d+)?: found ", str(found[2]))
    assert ", expected " in str(found[2])
    records = run_batch(ScriptedSolver(solved_at(1)), found, Options(levels=3)).records
    assert [record.get("rejected") for record in records].count(None) == 6
    assert records[2]["rejected"] == str(found[2])


def test_a_file_that_cannot_be_opened_is_a_usage_error(tmp_path):
    for path in (tmp_path / "absent.csv", tmp_path):
        with pytest.raises(UsageError, match=f"{path}: found .*, expected a puzzle file"):
            list(samples((str(path),)))


def test_lines_that_end_with_a_carriage_return_alone_are_read_as_the_solver_reads_them(tmp_path):
    lines = [to_line(puzzle) for puzzle, _ in puzzles(2, seed=6, lo=28, hi=40)]
    (tmp_path / "mac.txt").write_bytes("\r".join([*lines, ""]).encode())
    assert [to_line(item.clues) for item in samples((str(tmp_path / "mac.txt"),))] == lines


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_refused_at_once_because_it_would_have_to_be_read_twice(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="found a pipe, expected a file"):
        list(samples((str(tmp_path / "pipe"),)))
