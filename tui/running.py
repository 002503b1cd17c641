"""Commands that make the solver work: step, run, pause, cancel, back, another attempt, shadow run, policy.

Knows the desk it works at. Invariant: a policy holds for a whole session, so changing it runs the levels seen again;
nothing that was computed under one policy is shown under another.
"""

from dataclasses import replace

from sudoku_ncm.policy import Options
from tui import words
from tui.desk import Desk
from tui.state import Activity, Model


class Runner(Desk):
    """See the module."""

    def step(self) -> None:
        """Run one level; while one runs, one more after it."""
        state = self.state
        if state.idle:
            self._ask(Activity.STEP)
            return
        running = state.trace.sums.levels + 1
        most = sum(len(state.trace.plan(attempt)) for attempt in range(state.allowed))
        self.set(replace(state, activity=Activity.LEVELS, target=min(max(state.target, running) + 1, most)))

    def run(self) -> None:
        """Run to the exit, also from the level that runs; or pause after it."""
        if self.state.activity is Activity.RUN:
            self.set(replace(self.state, activity=Activity.PAUSING, notice="paused"))
        elif not self.state.idle:
            self.set(replace(self.state, activity=Activity.RUN))
        else:
            self._ask(Activity.RUN)

    def another(self) -> None:
        """Allow one more attempt and run it."""
        last = self.state.trace.last
        self.state = replace(self.state, allowed=last.attempt + 2 if last else 1)
        self._ask(Activity.RUN)

    def _ask(self, activity: Activity) -> None:
        self.set(replace(self.state, activity=activity, target=0, notice="", view=None))
        self.driver.step()

    def cancel(self) -> None:
        """Stop after the level that runs; end a shadow run; after an engine error, start over."""
        if self.state.problem is not None:
            self.restart("started over after the engine error", 0)
        elif self.state.activity is Activity.SHADOW:
            self.driver.run += 1
            self.set(replace(self.state, activity=Activity.IDLE).tell("shadow run cancelled"))
        else:
            self.set(replace(self.state, activity=Activity.PAUSING).tell("cancelled: the level that runs is the last"))

    def back(self) -> None:
        """Rewind by one level; before the first one with a new session, so that the prefix counts again."""
        last = self.state.trace.last
        said = f"back before {words.name(last)}: the next step computes it again" if last else ""
        if last is not None and (last.attempt, last.level) == (0, 0):
            self.restart(said, 0)
        elif last is not None:
            state = self.state.tell(said)
            trace = state.trace.back()
            self.set(replace(state, trace=trace, view=None, shadow=None, activity=Activity.REWIND))
            self.driver.rewind(last.attempt, last.level)

    def shadow(self) -> None:
        """Run the levels that early exit skipped, for real."""
        last = self.state.trace.last
        if last is not None:
            self.set(replace(self.state, activity=Activity.SHADOW, notice=""))
            self.driver.shadow(self.state.clues, self.state.generation, last.attempt, last.level)

    def toggle_exit(self) -> None:
        """Early exit on or off: the levels seen run again, under the policy that is then in force."""
        self.state = replace(self.state, auto_exit=not self.state.auto_exit)
        on = f"on: checked {self.state.policy.text}"
        self.restart(
            f"early exit {on if self.state.auto_exit else 'off: all levels run'}", self.state.trace.sums.levels
        )

    def configure(self, options: Options) -> None:
        """Take other options; other levels are calibrated first, and the puzzle starts over."""
        old, self.state = self.state.options, replace(self.state, options=options, auto_exit=True)
        if (old.levels, old.cached) != (options.levels, options.cached) and self.state.model is not Model.MISSING:
            self.state = replace(self.state, model=Model.LOADING)
            self.driver.start(options)
        noise = f"noise {options.temperature} (seed {options.seed})"
        self.restart(f"{options.levels} levels, checked {options.policy.text}, {noise}", 0)
