"""The panes as lines: levels, work, the strip of levels, the sparkline of net per puzzle.

Pure text from traces and accounts; knows neither Textual nor the state of the window. Invariant: a row a level that
ran; figures of levels that did not run carry "~".
"""

from tui.account import Account, Calibration, level_ms, uncached_pairs
from tui.spans import Line, Role, Span, line
from tui.trace import Seen, Trace
from tui.words import signed

BLOCKS = " ▏▎▍▌▋▊▉█"
TICKS = "▁▂▃▄▅▆▇█"
NARROW = f"{'L':<4}{'pos':>3}{'gen':>6}{'dec':>6}{'chk':>6}{'Δ':>3}{'open':>5}{'bad':>4} exit"
WIDE = (
    f"{'L':<4}{'pos':>3}{'prefix':>7}{'pairs':>7}{'uncached':>9}"
    f"{'gen':>6}{'dec':>6}{'chk':>6}{'Δ':>3}{'open':>5}{'bad':>4} exit"
)


def levels(trace: Trace, calibration: Calibration, viewed: int | None, height: int, wide: bool) -> list[Line]:
    """The table around the viewed row (an index into `trace.seens`; None: the last), and the level to come."""
    rows: list[Line] = []
    at = 0
    for index, seen in enumerate(trace.seens):
        if seen.level == 0 and (seen.attempt or trace.settled.levels):
            rows.append((Span(f"attempt {seen.attempt + 1}", Role.DIM),))
        here = index == (len(trace.seens) - 1 if viewed is None else viewed)
        at = len(rows) if here else at
        rows.append(_level(seen, trace.before(seen.attempt, seen.level) is not None, wide, here, index))
    rows += _planned(trace, calibration, wide)
    room = height - 1
    start = max(0, min(at - room + 2, len(rows) - room))
    return [line(Span(WIDE if wide else NARROW, Role.DIM)), *rows[start : start + room]]


def _level(seen: Seen, cached: bool, wide: bool, here: bool, index: int) -> Line:
    milliseconds = 1e3 * seen.seconds.generator, 1e3 * seen.seconds.decode, 1e3 * seen.seconds.check
    times = f"{milliseconds[0]:>6.1f}" + "".join(
        f"{ms:>6.2f}" if seen.checked else f"{'·':>6}" for ms in milliseconds[1:]
    )
    counts = f"{seen.changed.sum():>3}{seen.verdict.open_cells:>5}{seen.broken:>4} "
    extra = seen.work.positions - seen.kind.positions
    exact = f"{extra or '·':>7}{seen.work.pairs:>7,}{uncached_pairs(seen.kind):>9,}" if wide else ""
    text = f"{_mark(seen):<4}{seen.work.positions:>3}{exact}{times}{counts}"
    click = f"app.view({index})"
    return (Span(text, marked=here, click=click), _exit(seen)._replace(marked=here, click=click))


def _mark(seen: Seen) -> str:
    """`L8*`: a level by its number, and whether noise was added to its logits."""
    return f"L{seen.level}{'*' if seen.noise else ''}"


def _exit(seen: Seen) -> Span:
    if not seen.checked:
        return Span("  – ", Role.DIM)
    return Span("✓out", Role.PASS) if seen.exited else Span("no ✗", Role.FAIL)


def _planned(trace: Trace, calibration: Calibration, wide: bool) -> list[Line]:
    """The level to come, with the median of its kind, and how many more are planned."""
    if trace.solved or trace.attempt_over or not trace.kinds:
        return []
    attempt, level = trace.next
    estimate = f"~{level_ms(calibration, level, trace.cached):.1f}"
    gap = f"{'·':>7}{'·':>7}{'·':>9}" if wide else ""
    positions = trace.kinds[level].positions + (81 if level == 0 or not trace.cached else 0)
    text = f"{f'L{level}':<4}{positions:>3}{gap}{estimate:>6}{'·':>6}{'·':>6}{'·':>3}{'·':>5}{'·':>4}"
    more = len(trace.plan(attempt)) - level - 1
    rest = [(Span(f"   … {more} more planned", Role.DIM),)] if more else []
    return [(Span(text, Role.DIM),), *rest]


def strip(trace: Trace, viewed: int | None, width: int) -> Line:
    """A glyph a level of the last attempt: ✗ failed, ✓ passed, – not checked, ▶ next, · planned."""
    attempt = trace.last.attempt if trace.last else 0
    glyphs: list[Span] = []
    for index, seen in enumerate(trace.seens):
        if seen.attempt == attempt:
            glyph = "–" if not seen.checked else "✓" if seen.exited else "✗"
            role = Role.DIM if not seen.checked else Role.PASS if seen.exited else Role.FAIL
            glyphs.append(Span(glyph, role, index == viewed, f"app.view({index})"))
    left = len(trace.plan(attempt)) - len(glyphs)
    if left and not trace.solved:
        glyphs += [Span("▶", Role.STRONG), Span("·" * (left - 1), Role.DIM)]
    elif left:
        glyphs.append(Span("·" * left, Role.DIM))
    return tuple(glyphs)[:width]


def work(figures: Account, cached: bool, width: int, wide: bool) -> list[Line]:
    """Saved against overhead: bars of the full run, what was spent, what the cache saved, the net."""
    spent = figures.spent
    rows = [
        _bar("full run ~est", figures.full, figures, width, Role.DIM),
        _bar("generator", 1e3 * spent.generator, figures, width, Role.GENERATED),
        _bar("decode", 1e3 * spent.decode, figures, width, Role.CHANGED),
    ]
    if wide:
        rows.append(_bar("check", 1e3 * spent.check, figures, width, Role.CHANGED))
        rows.append(_bar("leave batch", 1e3 * spent.compaction, figures, width, Role.CHANGED))
    else:
        rows.append(_bar("check, leave", 1e3 * (spent.check + spent.compaction), figures, width, Role.CHANGED))
    rows.append(_cache(figures, cached))
    if wide:
        rows.extend(_exact(figures))
    return [*rows, _bar("NET saved", figures.net, figures, width, Role.PASS if figures.net >= 0 else Role.FAIL, "+")]


def _cache(figures: Account, cached: bool) -> Line:
    if not cached:
        return line("cache saved   ", Span("none: it is off", Role.DIM))
    saved = figures.work_uncached.positions - figures.work.positions
    return line(f"cache saved   {saved:,} of {figures.work_uncached.positions:,} positions")


def _exact(figures: Account) -> list[Line]:
    pairs = figures.work_uncached.pairs - figures.work.pairs
    kept = f"{pairs:,} of {figures.work_uncached.pairs:,} pairs · holds {figures.cache_bytes / 2**20:.2f} MiB"
    ran = f"{figures.work.positions:,} of {figures.work_full.positions:,} positions of a full run, per layer"
    return [line(" " * 14 + kept), line("computed      " + ran)]


def _bar(label: str, milliseconds: float, figures: Account, width: int, role: Role, sign: str = "") -> Line:
    room = max(0, width - 14 - 9 - 6)
    part = figures.percent(abs(milliseconds)) / 100
    eighths = min(8 * room, round(8 * room * part))
    bar = "█" * (eighths // 8) + (BLOCKS[eighths % 8] if eighths % 8 else "")
    percent = figures.percent(milliseconds)
    share = f"{percent:{sign}.1f}%" if 0 < abs(percent) < 1 else f"{percent:{sign}.0f}%"
    numbers = f"{milliseconds:{sign},.1f}ms".rjust(9) + share.rjust(6)
    return line(f"{label:<14}", Span(bar.ljust(room), role), numbers.replace("-", "−"))


def sparkline(nets: tuple[float, ...], width: int) -> Line:
    """Net saved per puzzle finished, oldest first; a loss is a `-` on the line."""
    if not nets:
        return line(Span("net of each finished puzzle appears here", Role.DIM))
    shown = nets[-(width - 18) :]
    top = max(*shown, 0.0, 1e-9)
    ticks = (Span("-", Role.FAIL) if net < 0 else Span(TICKS[min(7, int(8 * net / top))], Role.PASS) for net in shown)
    return line(*ticks, f"  last {signed(shown[-1])}")
