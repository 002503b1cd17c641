"""A session is kept on leaving and taken up again; a damaged one is set aside."""

import json
from dataclasses import asdict, replace

import pytest
from scripted import ScriptedSolver, never
from windows import EASY, HARD, OPTIONS, SMALL, drive, loading, opened, press

from sudoku_ncm.policy import ExitPolicy
from tui import saved
from tui.app import Window
from tui.headless import settled
from tui.library import from_text
from tui.picture import Overlay


def parse(text, levels):
    return ExitPolicy.parse(text)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


@drive
async def test_a_session_comes_back_as_it_was_left():
    options = replace(OPTIONS, policy=ExitPolicy.parse("from:1"), seed=3, temperature=0.5)
    async with opened(ScriptedSolver(never), f"{EASY}\n{HARD}", options=options) as (window, pilot):
        await press(window, pilot, "n", "space", "space", "left_square_bracket", "o", "up", "t")
        saved.save(saved.Saved.of(window.desk.state, window.desk.library, window.theme))
        old = window.desk.state
    kept, greeting = saved.load(parse)
    assert "restored" in greeting
    again = Window(loading(ScriptedSolver(never)), kept.library(), OPTIONS, saved=kept)
    async with again.run_test(size=SMALL):
        await settled(again)
        new = again.desk.state
        assert (new.number, new.title, new.cursor, new.options) == (1, old.title, old.cursor, old.options)
        assert [seen.level for seen in new.trace.seens] == [0, 1]
        assert new.overlay is Overlay.CANDIDATES
        assert again.theme == "okabe-light"


@pytest.mark.parametrize(
    "damage",
    [
        lambda values: "{",
        lambda values: "[]",
        lambda values: json.dumps({**values, "clues": "5"}),
        lambda values: json.dumps({**values, "cursor": 81}),
        lambda values: json.dumps({**values, "seed": "0"}),
        lambda values: json.dumps({**values, "temperature": -1.0}),
        lambda values: json.dumps({**values, "version": 99}),
        lambda values: json.dumps({**values, "policy": "sometimes"}),
        lambda values: json.dumps({**values, "overlay": "rainbow"}),
        lambda values: json.dumps({**values, "more": 1}),
    ],
)
@drive
async def test_a_damaged_save_is_set_aside_with_a_reason(damage):
    async with opened() as (window, _):
        values = asdict(saved.Saved.of(window.desk.state, window.desk.library, window.theme))
    saved.path().write_text(damage(values))
    kept, greeting = saved.load(parse)
    assert kept is None
    assert "damaged" in greeting
    assert not saved.path().exists()
    assert len(list(saved.path().parent.glob("session.damaged-*"))) == 1


def test_without_a_save_there_is_nothing_to_resume():
    assert saved.load(parse) == (None, "no saved session yet")


@drive
async def test_a_file_that_is_gone_leaves_its_open_puzzle(tmp_path):
    async with opened() as (window, _):
        kept = saved.Saved.of(window.desk.state, from_text(HARD, "x"), window.theme)
    gone = replace(kept, origin=["argument", "gone.txt", str(tmp_path / "gone.txt")])
    assert gone.library().get(0).clues.tolist() == window.desk.state.given.tolist()
