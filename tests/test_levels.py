"""Levels as data: positions, axes and relation tables follow from the coordinates of the grid."""

import pytest

from checker.board import BOXES, COLUMNS, ROWS
from sudoku_ncm.levels import RELATIONS, Axis, Kind, LevelPlan, relation_table


def test_a_plan_repeats_its_last_kind():
    plan = LevelPlan.parse(["box-row", "box-column", "cell"], 5)
    assert [kind.value for kind in plan.kinds] == ["box-row", "box-column", "cell", "cell", "cell"]


def test_a_plan_shorter_than_its_kinds_is_cut():
    assert LevelPlan.parse(["box-row", "box-column", "cell"], 2).kinds == (Kind.BOX_ROW, Kind.BOX_COLUMN)


@pytest.mark.parametrize(("names", "levels"), [([], 3), (["cell"], 0), (["box"], 3)])
def test_an_impossible_plan_is_refused(names, levels):
    with pytest.raises(ValueError, match=r"box|plan"):
        LevelPlan.parse(names, levels)


def test_a_box_row_has_no_column_axis_and_a_box_column_no_row_axis():
    assert Kind.BOX_ROW.axes == (Axis.ROW, Axis.BOX)
    assert Kind.BOX_COLUMN.axes == (Axis.COLUMN, Axis.BOX)
    assert Kind.CELL.axes == tuple(Axis)


@pytest.mark.parametrize(("kind", "positions", "span"), [("cell", 81, 1), ("box-row", 27, 3), ("box-column", 27, 3)])
def test_positions_cover_all_cells(kind, positions, span):
    assert (Kind(kind).positions, Kind(kind).span) == (positions, span)


@pytest.mark.parametrize(("axis", "units"), [(Axis.ROW, ROWS), (Axis.COLUMN, COLUMNS), (Axis.BOX, BOXES)])
def test_cell_relations_are_those_of_the_real_grid(axis, units):
    table = relation_table(Kind.CELL, Kind.CELL, axis)
    cells = units[4].tolist()
    for i, a in enumerate(cells):
        for j, b in enumerate(cells):
            assert RELATIONS[table[i, j]] == expected_relation(a, b, axis)


def expected_relation(a, b, axis):
    if a == b:
        return "same cell"
    if axis is Axis.BOX:
        return "near" if a // 9 == b // 9 or a % 9 == b % 9 else "far"
    return "near" if any(a in box and b in box for box in BOXES.tolist()) else "far"


def test_a_coarse_position_tells_the_three_cells_inside_it():
    table = relation_table(Kind.BOX_ROW, Kind.CELL, Axis.ROW)
    assert table.shape == (3, 9)
    inside = table == RELATIONS.index("inside")
    assert [row.nonzero()[0].tolist() for row in inside] == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]


def test_a_box_column_lies_across_the_rows_of_its_box():
    inside = relation_table(Kind.BOX_COLUMN, Kind.CELL, Axis.BOX) == RELATIONS.index("inside")
    assert [row.nonzero()[0].tolist() for row in inside] == [[0, 3, 6], [1, 4, 7], [2, 5, 8]]
