"""What happened, in sentences: the exit decision, a cell and its runners-up, the clashes.

Knows traces and accounts, neither Textual nor colours beyond roles. Invariant: a sentence claims "verified" only for a
board the checker passed; estimates carry "about" or "~".
"""

import numpy as np

from checker.board import Board, cell_name
from checker.judge import Finding, Judgement
from checker.verify import Clash, Verdict
from tui.account import Account
from tui.events import Shadow
from tui.spans import Line, Role, Span, line
from tui.trace import Seen, Trace


def plural(count: int, noun: str) -> str:
    """`1 clash`, `2 clashes`, `3 cells`."""
    ending = "" if count == 1 else "es" if noun.endswith("sh") else "s"
    return f"{count:,} {noun}{ending}"


def name(seen: Seen) -> str:
    """A level by its number; with the attempt where there was more than one."""
    return f"L{seen.level}" if not seen.attempt else f"attempt {seen.attempt + 1} L{seen.level}"


def faults(verdict: Verdict) -> str:
    """All that is wrong with a board, counted."""
    parts = [
        plural(len(verdict.clashes), "clash") if verdict.clashes else "",
        f"{verdict.open_cells} open" if verdict.open_cells else "",
        f"{plural(len(verdict.changes), 'clue')} lost" if verdict.changes else "",
    ]
    return ", ".join(filter(None, parts)) or "nothing wrong"


def signed(milliseconds: float) -> str:
    """`+22.4 ms`, with a true minus sign."""
    return f"{milliseconds:+,.1f} ms".replace("-", "−")


def share(figures: Account, milliseconds: float) -> str:
    """Milliseconds with sign, and as a part of the full run."""
    return f"{signed(milliseconds)} ({figures.percent(milliseconds):+.0f}%)".replace("-", "−")


def decision(trace: Trace, figures: Account, again: bool) -> list[Line]:
    """What the last level decided, and what the next check, or (`again`) another attempt, could bring."""
    last = trace.last
    if last is None:
        return [line(Span("nothing has run yet", Role.DIM)), *_prospects(figures)]
    if last.exited:
        return _verified(last, figures)
    if not last.checked:
        seen = "a right board, by the way" if last.verdict.solved else faults(last.verdict)
        return [line(Span(f"{name(last)} not checked", Role.STRONG), f" ({seen}): go on"), *_prospects(figures)]
    if trace.attempt_over:
        cost = Span(share(figures, figures.net), Role.FAIL)
        more = (Span("a", Role.STRONG), " another attempt   ") if again else ()
        ways = line(*more, Span("v", Role.STRONG), " exact solution")
        return [
            line(Span(f"UNSOLVED ✗ {faults(last.verdict)}", Role.FAIL)),
            line("NET ", cost, ": nothing saved"),
            ways,
        ]
    fail = Span(f"{name(last)} FAIL ✗ ", Role.FAIL)
    return [line(fail, f"{faults(last.verdict)} → go on"), *_prospects(figures)]


def _verified(last: Seen, figures: Account) -> list[Line]:
    saved = figures.work_full.positions - figures.work.positions
    left = f"{figures.skipped_levels} of {figures.levels_full} levels not run ({saved:,} positions)"
    net = Span(share(figures, figures.net), Role.PASS if figures.net >= 0 else Role.FAIL)
    return [
        line(Span(f"{name(last)} PASS ✓ ", Role.PASS), "full, no clash, clues kept: exit"),
        line(left if figures.skipped_levels else "the last level: nothing was left to save"),
        line("NET saved about ", net),
    ]


def _prospects(figures: Account) -> list[Line]:
    if figures.next_check is None or not figures.full:
        return []
    return [
        line(f"if L{figures.next_check} passes: net about {share(figures, figures.net_if_next)}"),
        line(f"if none passes: net about {share(figures, figures.net_if_none)}"),
    ]


def cell(number: int, clues: Board, board: Board, seen: Seen | None) -> Line:
    """A cell: its digit, how much it is believed, and the runners-up."""
    head = Span(cell_name(number), Role.STRONG)
    if clues[number]:
        read = clues[number] if seen is None else board[number]
        kept = "a clue" if read == clues[number] else f"a clue, read as {read}" if read else "a clue, left open here"
        return line(head, f" {clues[number]} {kept}")
    if seen is None:
        return line(head, f" {board[number]} entered" if board[number] else Span(" open", Role.DIM))
    beliefs = seen.field[number]
    order = np.argsort(-beliefs, kind="stable")[:3]
    shown = [f"{d + 1} {belief(beliefs[d])}" for d in order[1:] if beliefs[d] > 0]
    first = f" {board[number]}" if board[number] else " open (a tie)"
    text = f"{first} p={belief(beliefs[order[0]])}"
    return line(head, text, Span("  next " + "  ".join(shown) if shown else "  no other digit", Role.DIM))


def history(number: int, clues: Board, trace: Trace, seen: Seen | None, width: int) -> Line:
    """How a cell's digit and belief moved over the levels of the attempt seen, the latest that fit."""
    if seen is None or clues[number]:
        return ()
    rows = [s for s in trace.seens if s.attempt == seen.attempt and s.level <= seen.level]
    steps = [f"{'·123456789'[s.board[number]]}:{belief(s.field[number].max())}" for s in rows]
    kept = steps[-((width - 6) // 6) :]
    return line(Span("was " + ("… " if len(kept) < len(steps) else "") + "→".join(kept), Role.DIM))


def belief(value: float) -> str:
    """A belief of 0 to 1 in at most three characters."""
    return "1" if value >= 0.995 else f"{value:.2f}".lstrip("0")


def clashes(found: tuple[Clash, ...]) -> str:
    """The first clash in words, and how many more there are."""
    more = f" (+{len(found) - 1})" if len(found) > 1 else ""
    return f"{found[0]}{more}" if found else ""


def finding(judgement: Judgement) -> str:
    """What exact search says of the puzzle, in a few words."""
    match judgement.finding:
        case Finding.CLASH | Finding.WRONG:
            return f"no run: the clues clash: {clashes(judgement.clashes)}"
        case Finding.NONE:
            return "no run: exact search proves there is no solution"
        case Finding.MANY:
            return "warning: more than one solution; any of them passes"
        case Finding.UNKNOWN:
            return f"warning: unknown if unique ({judgement.nodes:,} nodes spent)"
        case Finding.RIGHT:
            return "a full board, right as given"
        case _:
            return "one solution"


def log_entry(seen: Seen) -> str:
    """A level in one line of the log."""
    spent = f"{seen.work.positions} positions, {1e3 * seen.seconds.generator:.1f} ms"
    result = "not checked" if not seen.checked else "exit" if seen.exited else f"{faults(seen.verdict)}; go on"
    noise = ", with noise" if seen.noise else ""
    return f"{name(seen)} {seen.kind.value}{noise}: {spent}: {result}"


def shadow(done: Shadow) -> str:
    """What running the skipped levels for real took, and whether full depth would have ended right."""
    ending = "right" if done.right else "NOT right"
    return (
        f"measured: {plural(done.levels, 'skipped level')} took {1e3 * done.generator:.1f} ms; full depth ends {ending}"
    )


def measured(done: Shadow, figures: Account) -> str:
    """The shadow run beside the estimate, in the width of the work pane."""
    return f"shadow: {1e3 * done.generator:.1f} ms measured, ~{figures.skipped:.1f} estimated"
