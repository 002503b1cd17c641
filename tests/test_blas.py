"""The BLAS that serves is found once, has a known name, and is never needed."""

import sys

import pytest

from sudoku_ncm import blas

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="BLAS is chosen on Linux only")


@pytest.fixture
def fresh():
    """`prepare` without memory of this process, before and after."""
    blas.prepare.cache_clear()
    yield blas.prepare
    blas.prepare.cache_clear()


def test_what_serves_has_a_known_name():
    assert blas.prepare().name in {name for name, _ in blas.CANDIDATES} | {"accelerate", "reference"}


def test_preparing_happens_once_a_process(fresh, monkeypatch):
    calls = []
    monkeypatch.setattr(blas, "keep_freed_memory", lambda: calls.append(1))
    assert fresh() is fresh()
    assert len(calls) == (1 if sys.platform == "linux" else 0)


@on_linux
def test_without_any_library_the_reference_serves(fresh, monkeypatch):
    monkeypatch.setattr(blas, "CANDIDATES", (("openblas", "libno-such-blas.so.0"), ("mkl", "libneither.so")))
    assert fresh() == blas.Blas("reference", "")


@on_linux
def test_the_first_library_that_loads_serves(fresh, monkeypatch):
    candidates = (("absent", "libno-such-blas.so.0"), ("first", "libc.so.6"), ("second", "libm.so.6"))
    monkeypatch.setattr(blas, "CANDIDATES", candidates)
    assert fresh() == blas.Blas("first", "libc.so.6")


@pytest.mark.parametrize(("platform", "name"), [("darwin", "accelerate"), ("win32", "reference")])
def test_other_systems_are_left_as_they_are(fresh, monkeypatch, platform, name):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(blas, "keep_freed_memory", lambda: pytest.fail("tuned the allocator"))
    assert fresh() == blas.Blas(name, "")
