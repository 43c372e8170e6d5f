"""Load a user's object by `FILE.py:NAME` or `MODULE:NAME`."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.users_code import UserCodeError, describe_error, register_users_file

__all__ = ["is_address", "load_object"]


def is_address(name: str) -> bool:
    """Whether a name is `FILE.py:NAME`, `FILE.py` or `MODULE:NAME` rather than one of ours."""
    module, colon, attribute = name.partition(":")
    if module.endswith(".py"):
        return True
    return (
        bool(colon)
        and attribute.isidentifier()
        and all(part.isidentifier() for part in module.split("."))
    )


def load_object(address: str, default: str = "") -> object:
    """The object at `FILE.py:NAME` or `MODULE:NAME`; `default` is NAME where none is given.

    Modules are also searched for in the current folder. Any exception that a user's module raises
    on import becomes a RegraspError that names the module.
    """
    module, _, attribute = address.partition(":")
    attribute = attribute or default
    if not module or not attribute:
        raise RegraspError(
            f"{address!r} names nothing: write FILE.py:NAME or MODULE:NAME, e.g. my_robot.py:make."
        )
    found = _from_file(Path(module)) if module.endswith(".py") else _from_module(module)
    if not hasattr(found, attribute):
        public = [name for name in dir(found) if not name.startswith("_")]
        raise UnknownNameError(f"name in {module}", attribute, public)
    value: object = getattr(found, attribute)
    return value


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise RegraspError(f"there is no file {path}.")
    name = f"regrasp_loaded_{path.resolve().as_posix().replace('/', '_').replace('.', '_')}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise RegraspError(f"{path} cannot be imported.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    register_users_file(path)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # a user's file may raise anything when it runs
        del sys.modules[name]
        raise UserCodeError(f"running {path} failed with {describe_error(error)}.") from error
    return module


def _from_module(name: str) -> ModuleType:
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin and spec.has_location:
            register_users_file(Path(spec.origin))
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:  # a user's module may raise anything on import
        raise UserCodeError(f"importing {name} failed with {describe_error(error)}.") from error
