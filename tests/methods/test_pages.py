"""A method is a page: its main loop can be laid beside the paper's pseudo-code."""

from pathlib import Path

from regrasp import methods


def test_no_file_of_a_method_is_longer_than_150_lines() -> None:
    files = Path(methods.__file__).parent.glob("*.py")
    lengths = {file.name: len(file.read_text(encoding="utf-8").splitlines()) for file in files}
    assert len(lengths) > 10
    assert {name: lines for name, lines in lengths.items() if lines > 150} == {}
