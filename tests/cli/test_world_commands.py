"""`regrasp worlds`, `render`, `do`, `demo` and `check`, as a person at a terminal meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from regrasp.cli import demo as demo_command
from regrasp.cli.main import app
from regrasp.worlds.registry import WORLDS, open_world, world_plan

STAY = 'minimize_l2_distance_reward("palm", "rest_position", primary_reward=True)\nexecute_plan(3)'
NEVER = (
    'set_joint_fraction_reward("wooden_cabinet_right_door", 1.0, primary_reward=True)\n'
    "execute_plan(0.1)"
)


def regrasp(*words: str, stdin: str = "") -> Result:
    return CliRunner().invoke(app, list(words), input=stdin)


class TestWorlds:
    def test_every_task_is_listed_with_what_a_reward_can_name(self) -> None:
        rows = json.loads(regrasp("worlds", "--json").stdout)["rows"]
        expected = [(w, task.name) for w in WORLDS for task in world_plan(w).tasks]
        assert [(row["world"], row["task"]) for row in rows] == expected
        assert all(row["instruction"] and row["paper_task"] for row in rows)
        scene = open_world("lever").scene
        (lever,) = (row for row in rows if row["world"] == "lever")
        assert lever["things"] == list(scene.things)
        assert lever["joints"] == list(scene.joints)

    def test_the_table_is_for_people(self) -> None:
        out = regrasp("worlds").stdout
        assert "REPLAN Task 5" in out and "find the blue_cube" in out


class TestRender:
    def test_a_picture_has_the_size_asked_for(self, tmp_path: Path) -> None:
        path = tmp_path / "new" / "side.png"
        result = regrasp(
            "render", "cabinet", "--camera", "side", "--size", "64x48", "--out", str(path)
        )
        assert (result.exit_code, result.stdout) == (0, f"{path}\n")
        with Image.open(path) as image:
            assert image.size == (64, 48)

    def test_all_cameras_stand_side_by_side(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        result = regrasp("render", "cubes", "--seed", "2", "--camera", "all", "--size", "32x24")
        assert result.stdout == "cubes-match-2-all.png\n"
        with Image.open(tmp_path / "cubes-match-2-all.png") as image:
            assert image.size == (3 * 32 + 2 * 4, 24)

    def test_the_kit_goes_into_a_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        drawn: list[Path] = []

        def draw(folder: Path) -> list[Path]:
            drawn.append(folder)
            return [folder / "mug.png"]

        monkeypatch.setattr("regrasp.worlds.kit.catalogue.write_pictures", draw)
        result = regrasp("render", "--kit", "--out", str(tmp_path))
        assert (result.exit_code, drawn) == (0, [tmp_path])
        assert result.stdout == f"{tmp_path / 'mug.png'}\n"

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ((), "name a world"),
            (("cabinet", "--kit"), "name a world"),
            (("--kit",), "--out"),
            (("cabnet",), "Did you mean 'cabinet'"),
            (("cabinet", "--task", "bared"), "Did you mean 'barred'"),
            (("cabinet", "--camera", "frnt"), "Did you mean 'front'"),
            (("cabinet", "--size", "big"), "640x480"),
            (("cabinet", "--renderer", "gel"), "Did you mean 'gl'"),
            (("cabinet", "--out", "/dev/null/x.png"), "cannot write"),
        ],
    )
    def test_what_cannot_be_drawn_is_one_line(self, words: tuple[str, ...], said: str) -> None:
        result = regrasp("render", *words)
        assert result.exit_code == 2
        assert said in result.stderr and result.stderr.count("\n") == 1


class TestDo:
    def test_success_is_exit_code_0_and_says_where_everything_is(self, tmp_path: Path) -> None:
        out = tmp_path / "run"
        result = regrasp(
            "do", "cabinet", "--reward", "-", "--out", str(out), "--size", "32x24", stdin=STAY
        )
        assert result.exit_code == 0, result.output
        assert "did what was asked" in result.stdout
        assert f"trace: {out / 'trace.jsonl'}" in result.stdout
        assert result.stdout.endswith(f"page: {out / 'report.html'}\n")
        assert "Reward met" in (out / "report.html").read_text()
        assert "rest" in result.stderr

    def test_failure_is_exit_code_1_and_one_json_document(self, tmp_path: Path) -> None:
        reward = tmp_path / "reward.txt"
        reward.write_text(NEVER)
        words = ["--task", "closed", "--seed", "4", "--out", str(tmp_path / "run"), "--no-video"]
        result = regrasp(
            "do", "cabinet", "--reward", str(reward), *words, "--size", "32x24", "--json"
        )
        assert result.exit_code == 1, result.output
        (row,) = json.loads(result.stdout)["rows"]
        assert (row["world"], row["task"], row["seed"]) == ("cabinet", "closed", 4)
        assert row["outcome"] in ("failed", "timed_out")
        assert row["feedback"]["error"]
        assert row["judged"][0]["done"] is False
        assert row["trace"] == str(tmp_path / "run" / "trace.jsonl")
        assert row["video"] is None

    @pytest.mark.parametrize(
        ("words", "stdin", "said"),
        [
            (("cabnet", "--reward", "-"), STAY, "Did you mean 'cabinet'"),
            (("cabinet", "--reward", "-"), STAY.replace("palm", "plam"), "Did you mean 'palm'"),
            (("cabinet", "--reward", "-"), "import os", "only these calls"),
            (("cabinet", "--reward", "nonesuch.txt"), "", "cannot read the reward"),
        ],
    )
    def test_what_cannot_begin_is_one_line_and_leaves_nothing(
        self,
        words: tuple[str, ...],
        stdin: str,
        said: str,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        result = regrasp("do", *words, stdin=stdin)
        assert result.exit_code == 2
        assert said in result.stderr and result.stderr.count("\n") == 1
        assert list(tmp_path.iterdir()) == []


class TestDemo:
    def test_it_asks_for_what_a_judge_knows(self) -> None:
        task = world_plan(demo_command.WORLD).task(None)
        assert task.instruction.replace("_", " ") == demo_command.INSTRUCTION

    def test_it_ends_with_the_page_and_never_overwrites(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(demo_command, "INSTRUCTION", "dance")  # the apple takes minutes
        monkeypatch.setattr(demo_command, "WORLD", "cubes")
        out = tmp_path / "demo"
        (out / "of_mine").mkdir(parents=True)
        result = regrasp("demo", "--out", str(out))
        folder = tmp_path / "demo-2"
        assert result.exit_code == 1, result.output  # nobody can dance, and the demo says so
        assert "a script of rules" in result.stderr and "only camera images" in result.stderr
        assert str(folder / "report.html") in result.stderr
        assert result.stdout.endswith(f"page: {folder / 'report.html'}\n")
        page = (folder / "report.html").read_text()
        assert "dance" in page and "data:image/png" in page
        assert [path.name for path in out.iterdir()] == ["of_mine"]


class TestCheckRobot:
    def test_ours_passes(self) -> None:
        result = regrasp("check", "robot", "regrasp.worlds.examples:cabinet_robot", "--json")
        document = json.loads(result.stdout)
        assert result.exit_code == 0
        assert document["passed"] is True
        assert len(document["rows"]) > 20

    def test_a_bad_one_does_not_and_may_stand_in_this_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "bad_robot_of_mine.py").write_text("def make():\n    return object()\n")
        result = regrasp("check", "robot", "bad_robot_of_mine:make")
        assert result.exit_code == 1
        assert "lacks cameras" in result.stdout

    @pytest.mark.parametrize(
        ("name", "said"),
        [
            (":cabinet_robot", "write FILE.py:NAME or MODULE:NAME"),
            ("regrasp.worlds.examples", "unknown name in regrasp.worlds.examples 'make'"),
            ("regrasp.worlds.examples:cabinet_robt", "Did you mean 'cabinet_robot'"),
            ("no_such_module_here:make", "ModuleNotFoundError"),
            ("regrasp:__version__", "cannot be called"),
        ],
    )
    def test_what_cannot_be_loaded_is_one_line(self, name: str, said: str) -> None:
        result = regrasp("check", "robot", name)
        assert result.exit_code == 2
        assert said in result.stderr and result.stderr.count("\n") == 1
