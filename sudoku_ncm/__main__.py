"""`python -m sudoku_ncm` is `sudoku-ncm`."""

from sudoku_ncm.cli import main

if __name__ == "__main__":
    main()
