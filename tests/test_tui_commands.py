"""The keys of the window that do not run levels: looking, asking, files, clipboard, themes, leaving."""

from scripted import ScriptedSolver, never
from windows import EASY, HARD, drive, opened, press, shown

from tui.headless import settled
from tui.picture import Overlay
from tui.screens import Ask, Panel
from tui.settings import Settings


@drive
async def test_a_click_on_a_level_views_it_and_a_click_on_a_cell_moves_there():
    async with opened() as (window, pilot):
        await press(window, pilot, "r")
        await pilot.click("#levels", offset=(6, 2))
        await pilot.click("#board", offset=(3, 1))
        await pilot.pause()
        assert window.desk.state.view == 0
        assert window.desk.state.cursor == 0


@drive
async def test_the_cursor_moves_by_arrows_and_letters_and_wraps():
    async with opened() as (window, pilot):
        await press(window, pilot, "up", "h", "down", "l")
        assert window.desk.state.cursor == 40
        await press(window, pilot, *["k"] * 5, *["left"] * 5)
        assert window.desk.state.cursor == 80


@drive
async def test_the_overlay_goes_round_and_shows_differences():
    async with opened(ScriptedSolver(never)) as (window, pilot):
        await press(window, pilot, "space")
        names = []
        for _ in Overlay:
            await press(window, pilot, "o")
            names.append(window.desk.state.overlay)
            text = shown(window, "board")
        assert names == [Overlay.CANDIDATES, Overlay.CHANGE, Overlay.DIFFERENCE, Overlay.CONFIDENCE]
        assert len({len(row) for row in text.splitlines()}) == 1


@drive
async def test_exact_search_is_labelled_as_such():
    async with opened() as (window, pilot):
        await press(window, pilot, "v")
        assert isinstance(window.screen, Panel)
        assert "NOT by the network" in window.screen.body
        await press(window, pilot, "escape")
        assert not isinstance(window.screen, Panel)


@drive
async def test_next_and_previous_walk_through_the_file():
    async with opened(text=f"{EASY}\n{HARD}\nrubbish") as (window, pilot):
        assert "test #1/3" in shown(window, "head")
        await press(window, pilot, "n")
        assert "test #2/3" in shown(window, "head")
        await press(window, pilot, "n")
        assert "cannot read this: test:3" in shown(window, "decision")
        await press(window, pilot, "n")
        assert "no more puzzles" in shown(window, "notes")
        await press(window, pilot, "N", "N", "r")
        assert "test #1/3" in shown(window, "head")
        assert window.desk.state.trace.solved


@drive
async def test_help_lists_every_key_and_settings_take_only_what_is_valid():
    async with opened() as (window, pilot):
        await press(window, pilot, "question_mark")
        assert "run one level" in window.screen.body
        await press(window, pilot, "escape", "comma")
        assert isinstance(window.screen, Settings)
        field = window.screen.query_one("#set-levels")
        field.value = "none"
        await press(window, pilot, "enter")
        assert "levels: found none" in str(window.screen.query_one(".wrong").render())
        field.value = "4"
        noise = window.screen.query_one("#set-temperature")
        for text in ("hot", "-1"):
            noise.value = text
            await press(window, pilot, "enter")
            assert f"temperature: found {text}" in str(window.screen.query_one(".wrong").render())
        noise.value = "0.5"
        window.screen.query_one("#set-policy").value = "from:1"
        await press(window, pilot, "enter")
        await settled(window)
        assert (window.desk.state.options.levels, window.desk.state.options.temperature) == (4, 0.5)
        assert len(window.desk.state.trace.kinds) == 4
        await press(window, pilot, "r")
        assert [seen.checked for seen in window.desk.state.trace.seens] == [False, True, True]


@drive
async def test_open_refuses_what_is_not_there_and_walks_what_is(tmp_path):
    (tmp_path / "two.txt").write_text(f"{HARD}\n{EASY}\n")
    async with opened() as (window, pilot):
        await press(window, pilot, "f")
        assert isinstance(window.screen, Ask)
        window.screen.query_one("Input").value = "not/there"
        await press(window, pilot, "enter")
        assert "no such file" in str(window.screen.query_one(".wrong").render())
        window.screen.query_one("Input").value = str(tmp_path / "two.txt")
        await press(window, pilot, "enter")
        assert "#1/2" in window.desk.state.title


@drive
async def test_write_makes_a_new_file_of_the_verified_board_only(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with opened() as (window, pilot):
        await press(window, pilot, "w")
        assert not isinstance(window.screen, Ask)
        await press(window, pilot, "r", "w", "enter")
        assert len((tmp_path / "solved.txt").read_text().strip()) == 81
        await press(window, pilot, "w", "enter")
        assert "already" in str(window.screen.query_one(".wrong").render())


@drive
async def test_a_picture_is_saved_and_the_theme_changes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with opened() as (window, pilot):
        await press(window, pilot, "s")
        assert len(list(tmp_path.glob("*.svg"))) == 1
        themes = []
        for _ in range(4):
            await press(window, pilot, "t", "space")
            themes.append(window.theme)
        assert themes == ["okabe-light", "ansi-dark", "ansi-light", "okabe-dark"]


@drive
async def test_copy_says_which_way_it_went(monkeypatch):
    from tui import outside

    async with opened() as (window, pilot):
        monkeypatch.setattr(outside, "COPIERS", ())
        await press(window, pilot, "y")
        assert "OSC 52" in window.desk.state.notice
        assert len(window.clipboard) == 81
        monkeypatch.setattr(outside, "COPIERS", (("cat",),))
        await press(window, pilot, "y")
        assert "copied by cat" in window.desk.state.notice


@drive
async def test_every_command_is_in_the_palette_when_it_does_something():
    async with opened() as (window, _):
        names = {command.title for command in window.get_system_commands(window.screen)}
        assert {"Step", "Run", "Edit", "Settings", "Open", "New board", "Theme okabe-light", "Quit"} <= names
        assert "Shadow" not in names


@drive
async def test_quit_leaves_with_zero_and_interrupt_with_130():
    for key, code in (("q", 0), ("ctrl+c", 130)):
        async with opened() as (window, pilot):
            await pilot.press(key)
        assert window.return_code == code
