"""The command line of the window where there is no terminal: pictures, refusals, web."""

import pytest
from running import ROOT, ncm


@pytest.mark.parametrize("size", ["80x24", "120x40"])
def test_a_picture_is_made_without_a_terminal(tmp_path, size):
    target = tmp_path / "out.svg"
    done = ncm("tui", "puzzles/easy.txt", "--screenshot", target, "--press", "r", "--size", size)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    picture = target.read_text(encoding="utf-8").replace("&#160;", " ")
    assert "PASS" in picture
    assert str(ROOT) not in picture


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nowhere.txt", "--screenshot", "x.svg"), "nowhere.txt"),
        (("--batch", "nowhere.txt", "--screenshot", "x.svg"), "nowhere.txt"),
        (("--theme", "rainbow", "--screenshot", "x.svg"), "okabe-dark"),
        (("--size", "big", "--screenshot", "x.svg"), "80x24"),
        (
            (
                "--exit",
                "sometimes",
            ),
            "sometimes",
        ),
    ],
)
def test_what_cannot_be_served_is_refused_in_one_line(arguments, says):
    done = ncm("tui", *arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_watching_a_solve_shows_every_level_on_stderr_only():
    done = ncm("solve", "puzzles/one.txt", "--watch", "--format", "line")
    assert len(done.stdout.strip()) == 81
    assert "level 0: " in done.stderr
    assert ": verified\n" in done.stderr
    assert "\x1b" not in done.stderr
