"""sudoku-ncm: a Sudoku solver that generates boards level by level and stops when an exact checker says so."""

__version__ = "0.1.0"
