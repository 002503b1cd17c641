"""Rank 0 and its workers over sockets, in one process: order, what is refused, and who is missed."""

import json
import signal
import socket
import time
from contextlib import suppress
from threading import Event, Thread

import pytest

from sudoku_ncm import launch
from sudoku_ncm.errors import ExitCode, LostRank, NcmError, UsageError
from sudoku_ncm.evaluation import gather, ranks
from sudoku_ncm.evaluation.gather import gathering
from sudoku_ncm.evaluation.run import Done
from sudoku_ncm.launch import Group

BATCHES = [[name] for name in "abcdefghijklmnopqrstuvwxyz"]
SETTINGS = {"model": "m", "machine": "here", "limit": None}


def run(batch):
    """A batch done by nobody."""
    return Done([{"line": batch[0]}], [{"level": 0, "rows": 1}])


@pytest.fixture(autouse=True)
def _signals():
    """A gathering that ended early lets nothing interrupt its process any more; this process goes on."""
    before = [(number, signal.getsignal(number)) for number in gather._SIGNALS]
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    for number, handler in before:
        signal.signal(number, handler)


@pytest.fixture
def root():
    """An address nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()


def worker(group, settings=SETTINGS, work=lambda rank: rank.work(BATCHES, run)):
    """Another rank, as a thread: it joins, says what it evaluates, works and waits for the end."""

    def body():
        with ranks._connect(*group.root) as connection, connection.makefile("rb") as stream:
            rank = ranks.Worker(group, connection, stream)
            with suppress(ConnectionError):
                rank.start(settings)
                work(rank)
                stream.read()

    thread = Thread(target=body, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("size", [1, 2, 3])
def test_batches_come_in_order_whoever_ran_them(root, size):
    threads = [worker(Group(rank, size, root)) for rank in range(1, size)]
    with gathering(Group(0, size, root)) as group:
        group.compare(SETTINGS)
        group.start(finished=0)
        assert list(group.gather(BATCHES, run)) == [run(batch) for batch in BATCHES]
    for thread in threads:
        thread.join(5)
        assert not thread.is_alive()


def test_a_worker_runs_a_few_batches_ahead_and_no_more(root):
    started, full = [], Event()

    def counting(batch):
        started.append(batch)
        if len(started) > ranks.AHEAD:
            full.set()
        return run(batch)

    worker(Group(1, 2, root), work=lambda rank: rank.work(BATCHES, counting))
    with gathering(Group(0, 2, root)) as group:
        group.compare(SETTINGS)
        group.start(finished=0)
        assert full.wait(5)
        time.sleep(0.1)
        assert len(started) == ranks.AHEAD + 1 < len(BATCHES) // 2


@pytest.mark.parametrize("number", gather._SIGNALS)
def test_a_signal_waits_until_a_batch_has_been_used(number):
    used = []

    def use(done):
        signal.raise_signal(number)
        used.append(done)

    with gathering(Group()) as group, pytest.raises(KeyboardInterrupt):
        list(map(use, group.gather(BATCHES, run)))
    assert used == [run(BATCHES[0])]


def test_nothing_interrupts_when_all_batches_are_done_and_nohup_is_respected():
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with gathering(Group()) as group:
        signal.raise_signal(signal.SIGHUP)
        assert len(list(group.gather(BATCHES, run))) == len(BATCHES)
        signal.raise_signal(signal.SIGINT)


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux has it")
def test_a_host_that_vanishes_is_noticed_in_half_a_minute_though_something_was_sent_to_it(root):
    with socket.create_server(root), ranks._connect(*root) as connection:
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000


def test_the_machine_may_be_another_and_the_model_may_not(root):
    worker(Group(1, 3, root), {**SETTINGS, "machine": "there"})
    worker(Group(2, 3, root), {**SETTINGS, "model": "n", "limit": 5})
    with (
        gathering(Group(0, 3, root)) as group,
        pytest.raises(UsageError, match="rank 2: found other limit, model, expected those of rank 0"),
    ):
        group.compare(SETTINGS)


def test_the_error_of_a_rank_is_said_by_rank_0_with_its_exit_code(root, monkeypatch):
    monkeypatch.setattr(signal, "signal", lambda *_: None)

    def body():
        with ranks.working(Group(1, 2, root)):
            raise UsageError("set.csv: found no readable file, expected a puzzle file")

    thread = Thread(target=body)
    thread.start()
    with gathering(Group(0, 2, root)) as group:
        with pytest.raises(NcmError, match=r"rank 1: set\.csv: found no readable file") as found:
            group.compare(SETTINGS)
        assert found.value.exit_code is ExitCode.USAGE
        assert thread.is_alive()  # until rank 0 has said it
    thread.join(5)
    assert not thread.is_alive()


def test_a_rank_that_never_comes_is_missed_and_a_stranger_is_no_rank(root, monkeypatch):
    monkeypatch.setattr(gather, "PATIENCE", 0.5)

    def stranger():
        with ranks._connect(*root) as connection:
            connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
            connection.recv(1)

    Thread(target=stranger, daemon=True).start()
    worker(Group(1, 3, root))
    with pytest.raises(LostRank, match="rank 2 was lost"), gathering(Group(0, 3, root)):
        pass


def test_strangers_who_keep_coming_do_not_make_rank_0_wait_longer(root, monkeypatch):
    monkeypatch.setattr(gather, "PATIENCE", 0.5)
    missed, end = Event(), time.monotonic() + 5

    def strangers():
        while not missed.is_set() and time.monotonic() < end:
            with suppress(OSError), socket.create_connection(root, 0.1):
                time.sleep(0.1)

    thread = Thread(target=strangers)
    thread.start()
    with pytest.raises(LostRank, match="rank 1 was lost"), gathering(Group(0, 2, root)):
        pass
    missed.set()
    thread.join()
    assert time.monotonic() < end


def test_a_line_torn_by_the_end_of_its_rank_is_no_batch(root):
    def die(rank):
        rank._connection.sendall(b'{"records": [{"line"')
        rank._connection.shutdown(socket.SHUT_RDWR)

    worker(Group(1, 2, root), work=die)
    with gathering(Group(0, 2, root)) as group:
        group.compare(SETTINGS)
        group.start(finished=0)
        done = group.gather(BATCHES, run)
        assert next(done) == run(BATCHES[0])
        with pytest.raises(LostRank, match="rank 1 was lost"):
            next(done)


def test_the_rank_lost_first_is_named_though_another_one_is_awaited(root):
    gone = Event()

    def last(rank):
        gone.wait(5)
        rank._connection.shutdown(socket.SHUT_RDWR)

    worker(Group(1, 3, root), work=last)
    worker(Group(2, 3, root), work=lambda rank: rank._connection.shutdown(socket.SHUT_RDWR))
    with gathering(Group(0, 3, root)) as group:
        group.compare(SETTINGS)
        group.start(finished=0)
        assert group._peers.loss(5)
        gone.set()
        with pytest.raises(LostRank, match="rank 2 was lost"):
            list(group.gather(BATCHES, run))


def test_an_address_in_use_is_said(root):
    with (
        socket.create_server(root),
        pytest.raises(NcmError, match="cannot listen for the other ranks"),
        gathering(Group(0, 2, root)),
    ):
        pass


HOSTS = json.dumps([["10.0.0.1:5000", "10.0.0.1:5001"], ["10.0.0.2:5002"]])


def found(monkeypatch, tmp_path, rank, text):
    (tmp_path / "hosts.json").write_text(text)
    monkeypatch.setenv("MLX_RANK", rank)
    monkeypatch.setenv("MLX_HOSTFILE", str(tmp_path / "hosts.json"))
    return launch.group()


def test_a_rank_finds_its_place_and_rank_0_in_the_hostfile(monkeypatch, tmp_path):
    assert launch.group() == Group()
    assert found(monkeypatch, tmp_path, "1", HOSTS) == Group(1, 2, ("10.0.0.1", 5000))
    assert found(monkeypatch, tmp_path, "0", "\n").size == 1  # mlx.launch -n 1


@pytest.mark.parametrize(("rank", "text"), [("2", HOSTS), ("x", HOSTS), ("0", "{"), ("0", "[[]]"), ("0", "[1]")])
def test_a_damaged_hostfile_is_refused(monkeypatch, tmp_path, rank, text):
    with pytest.raises(UsageError, match=r"found .*, expected a"):
        found(monkeypatch, tmp_path, rank, text)


@pytest.mark.parametrize("variables", [{"OMPI_COMM_WORLD_SIZE": "2"}, {"MLX_RANK": "0", "NCCL_PORT": "1"}])
def test_ranks_of_another_backend_are_refused(monkeypatch, variables):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(UsageError, match=r"expected those of mlx\.launch --backend ring"):
        launch.group()
