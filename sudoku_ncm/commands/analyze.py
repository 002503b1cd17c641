"""`sudoku-ncm analyze`: the analytic artifact, recomputed without a model and compared with the stored one."""

import json
from pathlib import Path

import click

import sudoku_ncm.evaluation.analysis as analysis
from sudoku_ncm.errors import ExitCode

STORED = Path(analysis.__file__).with_suffix(".json")


@click.command("analyze")
@click.option("--check", is_flag=True, help="Compare with the stored artifact; exit 1 on any difference.")
def command(check: bool) -> ExitCode:
    """Recompute operation counts and drafting identities in exact arithmetic and print them as JSON."""
    text = json.dumps(analysis.artifact(), indent=1) + "\n"
    if not check:
        click.echo(text, nl=False)
        return ExitCode.SOLVED
    stored = STORED.read_text(encoding="utf-8")
    if stored == text:
        click.echo(f"{STORED.name}: agrees")
        return ExitCode.SOLVED
    for number, (old, new) in enumerate(zip(stored.splitlines(), text.splitlines(), strict=False), start=1):
        if old != new:
            click.echo(f"{STORED.name}:{number}: found {old.strip()}, expected {new.strip()}", err=True)
    return ExitCode.UNSOLVED
