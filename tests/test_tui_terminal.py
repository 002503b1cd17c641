"""The real program in a real terminal (tmux): it draws, solves, leaves, and leaves nothing behind."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from running import ROOT, ncm

PATIENCE_S = 60
pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


class Terminal:
    """A shell in a tmux server of its own."""

    def __init__(self, socket: Path, size=(80, 24)):
        self.base = ["tmux", "-S", str(socket), "-f", "/dev/null"]
        environment = {**os.environ, "PS1": "$ ", "XDG_STATE_HOME": str(socket.parent), "ENV": "", "TERM": "xterm"}
        shell = ["new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), "-c", str(ROOT), "sh"]
        subprocess.run([*self.base, *shell], env=environment, check=True)

    def keys(self, *keys):
        subprocess.run([*self.base, "send-keys", "-t", ":", *keys], check=True)

    def run(self, arguments, program="-m sudoku_ncm"):
        self.keys("-l", f"{sys.executable} {program} tui {arguments}; echo left with $?")
        self.keys("Enter")

    @property
    def screen(self):
        command = [*self.base, "capture-pane", "-p", "-t", ":"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def wait_for(self, text):
        end = time.monotonic() + PATIENCE_S
        while text not in self.screen:
            assert time.monotonic() < end, f"no {text!r} in\n{self.screen}"
            time.sleep(0.05)
        return self.screen

    def child(self):
        """The process that draws the window."""
        pane = subprocess.run([*self.base, "display", "-p", "#{pane_pid}"], capture_output=True, text=True).stdout
        children = subprocess.run(["pgrep", "-P", pane.strip()], capture_output=True, text=True).stdout
        return int(children.split()[-1])

    def close(self):
        subprocess.run([*self.base, "kill-server"], check=False, capture_output=True)


@pytest.fixture
def terminal(tmp_path):
    terminal = Terminal(tmp_path / "t")
    yield terminal
    terminal.close()


def test_the_program_steps_to_a_verified_exit_and_leaves_a_clean_screen(terminal, tmp_path):
    terminal.run("puzzles/easy.txt --levels 12")
    terminal.wait_for("nothing has run yet")
    terminal.keys("Space")
    terminal.wait_for("L0 FAIL")
    terminal.keys("r")
    terminal.wait_for("PASS ✓")
    terminal.keys("q")
    screen = terminal.wait_for("left with 0")
    assert "Levels" not in screen
    assert "┌" not in screen
    assert (tmp_path / "sudoku-ncm" / "session.json").exists()
    terminal.run("--resume")
    terminal.wait_for("PASS ✓")
    terminal.keys("q")
    terminal.wait_for("left with 0")


def test_a_terminated_run_leaves_a_clean_terminal(terminal):
    terminal.run("puzzles/hard.txt --levels 300")
    terminal.wait_for("nothing has run yet")
    terminal.keys("r")
    terminal.wait_for("L3 ")
    os.kill(terminal.child(), signal.SIGTERM)
    screen = terminal.wait_for("left with 143")
    assert "┌" not in screen
    terminal.keys("-l", "stty -a | grep -c ' echo '")
    terminal.keys("Enter")
    assert "stty" in terminal.wait_for("\n1\n")


def test_without_a_terminal_one_line_says_what_to_use():
    done = ncm("tui")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "sudoku-ncm solve -" in done.stderr


def test_a_failure_of_the_window_itself_names_its_traceback_in_one_line(terminal, tmp_path):
    program = tmp_path / "failing.py"
    program.write_text(
        "from sudoku_ncm.cli import main\n"
        "from tui.app import Window\n"
        "Window.command_help = lambda self: 1 / 0\n"
        "main()\n"
    )
    terminal.run("puzzles/easy.txt", str(program))
    terminal.wait_for("nothing has run yet")
    terminal.keys("?")
    screen = terminal.wait_for("left with 1")
    assert "the window failed; the traceback is in" in screen
    assert "┌" not in screen
    assert "ZeroDivisionError" in next((tmp_path / "sudoku-ncm").glob("traceback-*")).read_text()
