"""Whatever stands in an artefact, a file or a reply: a value, or a RegraspError, soon.

60 inputs for each reader here; a million with `python tests/fuzz --count 1000000`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fuzzing import Report, fuzz_one, input_of
from readers import Reader, Readers

INPUTS, SEED, LIMIT_S = 60, 28, 5.0
FILES = ("trace", "page", "states", "note", "manifest", "records", "checks", "run", "cassette")


@pytest.fixture(scope="module")
def readers() -> Iterator[tuple[Reader, ...]]:
    with Readers() as every:
        yield every


def test_every_reader_reads_or_refuses_damaged_input(readers: tuple[Reader, ...]) -> None:
    report = Report()
    for reader in readers:
        for number in range(INPUTS):
            fuzz_one(report, reader, SEED, number, LIMIT_S)
    assert report.inputs == INPUTS * len(readers) > 2000
    assert report.failures == {}
    assert report.late == []
    assert report.longest_message < 5000
    assert report.refused > 500


def test_the_undamaged_examples_are_read(readers: tuple[Reader, ...]) -> None:
    assert set(FILES) <= {reader.name for reader in readers}
    for reader in readers:
        if reader.name not in ("server", "run"):  # one example of a server is an error
            for example in reader.seeds:
                reader.read(example)


def test_an_input_can_be_repeated(readers: tuple[Reader, ...]) -> None:
    first = [input_of(readers[0], SEED, number) for number in range(20)]
    assert first == [input_of(readers[0], SEED, number) for number in range(20)]
    assert len(set(first)) > 15
