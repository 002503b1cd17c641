"""Evaluation: a set of puzzles and a solver in, counts with intervals out. Receives a solver, never loads one."""
