"""Filling in by hand and pasting: clues stand whatever is tried."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from windows import EASY, HARD, drive, opened, press, shown

from checker.board import parse_line
from checker.drawing import to_grid
from checker.search import solve
from tui.edit import Edit

CLUES = parse_line(EASY)
MOVES = st.one_of(
    st.tuples(st.just("put"), st.integers(0, 80), st.integers(0, 9)),
    st.tuples(st.just("undo")),
    st.tuples(st.just("redo")),
)


@given(st.lists(MOVES, max_size=40))
def test_no_sequence_of_edits_changes_a_clue(moves):
    edit = Edit(CLUES, CLUES)
    for name, *arguments in moves:
        edit = getattr(edit, name)(*arguments)
        assert (edit.board[CLUES != 0] == CLUES[CLUES != 0]).all()


@given(st.lists(st.tuples(st.integers(0, 80), st.integers(0, 9)), max_size=20))
def test_undoing_everything_gives_the_beginning_and_redoing_the_end(puts):
    edit = Edit(CLUES, CLUES)
    for cell, digit in puts:
        edit = edit.put(cell, digit)
    end = edit.board
    steps = len(edit.undone)
    for _ in range(steps):
        edit = edit.undo()
    assert (edit.board == CLUES).all()
    for _ in range(steps):
        edit = edit.redo()
    assert (edit.board == end).all()


def test_filling_with_another_clue_is_refused_by_name():
    other = CLUES.copy()
    other[2] = 4
    with pytest.raises(ValueError, match="clue r1c3 from 3 to 4"):
        Edit(CLUES, CLUES).fill(other)


@drive
async def test_typing_enters_digits_and_enter_runs_them_as_clues():
    async with opened() as (window, pilot):
        solution = solve(CLUES)
        await press(window, pilot, *["up"] * 4, *["left"] * 4, "e", str(solution[0]))
        assert f"+{solution[0]}" in shown(window, "board")
        assert "enter Done" in shown(window, "keys")
        await press(window, pilot, "enter", "r")
        assert window.desk.state.clues[0] == solution[0]
        assert window.desk.state.given[0] == 0
        assert window.desk.state.trace.solved


@drive
async def test_a_clue_stands_against_typing_deleting_and_undo():
    async with opened() as (window, pilot):
        await press(window, pilot, "e", *["up"] * 4, *["left"] * 2, "9", "0", "delete", "backspace", "u", "ctrl+r")
        assert (window.desk.state.edit.board == CLUES).all()
        await press(window, pilot, "7")
        assert "it stands" in shown(window, "notes")


@drive
async def test_escape_leaves_the_board_as_it_was_and_keys_of_the_run_do_nothing_meanwhile():
    async with opened() as (window, pilot):
        await press(window, pilot, "e", "space", "r", "n", "x", "escape")
        assert window.desk.state.edit is None
        assert (window.desk.state.clues == CLUES).all()
        assert window.desk.state.trace.seens == ()


@drive
async def test_a_clash_typed_in_is_named_and_does_not_run():
    async with opened(text="." * 81) as (window, pilot):
        await press(window, pilot, "e", "5", "right", "5", "enter", "space")
        assert "no run: the clues clash: row 5: two 5s" in shown(window, "decision").replace("\n", " ")
        await press(window, pilot, "e", "0", "enter", "space")
        assert len(window.desk.state.trace.seens) == 1


@pytest.mark.parametrize("text", [to_grid(parse_line(HARD), parse_line(HARD), ascii=False), HARD, f"\n{HARD}\r\n"])
@drive
async def test_a_paste_of_any_layout_opens_that_puzzle(text):
    async with opened() as (window, _):
        window.desk.pasted(text)
        assert (window.desk.state.clues == parse_line(HARD)).all()
        assert window.desk.state.title == "paste"


@drive
async def test_a_paste_of_nine_lines_arrives_as_one_event():
    from textual.events import Paste

    lines = "\n".join(HARD[row : row + 9] for row in range(0, 81, 9))
    async with opened() as (window, pilot):
        window.post_message(Paste(lines))
        await press(window, pilot)
        assert (window.desk.state.clues == parse_line(HARD)).all()


@drive
async def test_a_paste_of_rubbish_changes_nothing_and_says_why():
    async with opened() as (window, pilot):
        for text in ("rubbish", "", "\x00\x1b[31m", "5" * 80):
            window.desk.pasted(text)
            await press(window, pilot)
            assert (window.desk.state.clues == CLUES).all()
            assert "paste:" in window.desk.state.notice


@drive
async def test_two_pasted_puzzles_are_a_file_of_two():
    async with opened() as (window, pilot):
        window.desk.pasted(f"{HARD}\n{EASY}\n")
        await press(window, pilot, "n")
        assert window.desk.state.title == "paste #2/2"


@drive
async def test_a_paste_while_editing_fills_open_cells_only():
    async with opened() as (window, pilot):
        solution = solve(CLUES)
        await press(window, pilot, "e")
        window.desk.pasted(HARD)
        assert "paste refused" in window.desk.state.notice
        window.desk.pasted(f"{HARD}\n{EASY}")
        assert "only one fits" in window.desk.state.notice
        window.desk.pasted("".join(map(str, solution)))
        assert (window.desk.state.edit.board == solution).all()
        await press(window, pilot, "u")
        assert (window.desk.state.edit.board == CLUES).all()


@drive
async def test_a_new_board_is_empty_and_open_for_editing():
    async with opened() as (window, _):
        window.new_board()
        assert not np.any(window.desk.state.edit.board)
