"""The one place where numba is configured: `@kernel`, and the cache of compiled kernels.

numba's own cache looks at one file only, so a kernel that calls or dispatches into another file would go
stale unnoticed. Here the name of a file in the cache has a digest of all sources that the kernel can depend on
(`kernel_sources.py`), and the key of a compiled signature one of the sources of the games whose records it takes,
because verbs bind their kernels. Other versions of the compilers and other settings are other folders. They are in
the user's cache directory, or in $QPOLIS_CACHE_DIR.
"""

from __future__ import annotations

import contextlib
import functools
import glob
import hashlib
import os
import platform
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import filelock
import llvmlite
import numba
import numpy as np
from numba.core import caching, registry
from numba.np import numpy_support

from qpolis import announcement
from qpolis.kernel_linking import ApartKernel, Kernel, needs, provide
from qpolis.kernel_sources import PACKAGE, Sources

JIT = not numba.config.DISABLE_JIT
PEOPLE = ("api", "cli", "report", "serve")  # parts of the package that face people, without kernels
PATIENCE = 120  # seconds to wait for another process that compiles the same kernel
LENT = "QPOLIS_LENT_KERNELS"  # the environment variable
KEPT_FOLDERS = 4  # of versions and settings that stay on disk
KEPT_VERSIONS = 4  # of a kernel's sources
KEPT_RESULTS = 64  # compiled signatures of one version


def _spare_scipy() -> None:
    """Load numba's array functions without the SciPy they ask for at once, a fifth of the start-up time.

    numba imports scipy.linalg only to learn that it is there, which it is: qpolis depends on it. Kernels that do
    linear algebra import it when they are compiled.
    """
    from numba.np import linalg

    ensure = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        from numba.np import arraymath

        arraymath.ensure_blas = ensure
    finally:
        linalg.ensure_blas = ensure


if JIT:
    _spare_scipy()


# Called once, just before the first compilation of the process; the command line tells the user why it waits.
def _tell(message: str) -> None:
    if sys.stderr and sys.stderr.isatty():
        print(f"qpolis: {message}", file=sys.stderr)


on_compile: Callable[[str], None] = _tell

# Policies are first-class functions: an API numba still calls experimental, pinned here by tests.
warnings.filterwarnings("ignore", "First-class function type", numba.NumbaExperimentalFeatureWarning)
# Two games whose records begin alike: numba compares them while it looks for the one that fits exactly.
warnings.filterwarnings("ignore", "Record", numba.NumbaExperimentalFeatureWarning)

if not JIT:
    # Kernels count on unsigned arithmetic that wraps; interpreted NumPy scalars would warn each time.
    np.seterr(over="ignore")


def sources(without: tuple[str, ...]) -> list[Path]:
    """The Python files of the package but for some parts, by how the names of their folders or files begin."""
    return [
        path
        for path in sorted(PACKAGE.rglob("*.py"))
        if not path.relative_to(PACKAGE).parts[0].startswith(without)
    ]


@functools.cache
def settings_digest() -> str:
    """One digest of what changes all compiled kernels."""
    settings = (
        numba.__version__,
        llvmlite.__version__,
        np.__version__,
        sys.version,
        platform.machine(),
        numba.config.BOUNDSCHECK,
        numba.config.OPT,
        numba.config.DEBUGINFO_DEFAULT,
    )
    return hashlib.sha256(repr(settings).encode()).hexdigest()[:20]


@functools.cache
def _sources() -> Sources:
    folder = kernel_folder()
    return Sources(folder and folder / "sources.json")


def source_digest(*functions: Any) -> str:
    """One digest of all sources that these functions can depend on."""
    return _sources().digest(frozenset(function.__code__.co_filename for function in functions))


def user_cache() -> Path:
    """The folder for files that can be made again: $QPOLIS_CACHE_DIR or the platform's cache directory."""
    if named := os.environ.get("QPOLIS_CACHE_DIR"):
        return Path(named)
    import platformdirs

    return platformdirs.user_cache_path("qpolis", appauthor=False)


def kernels_below(cache: Path) -> Path:
    """Where kernels of these versions and settings lie in a cache."""
    return cache / "kernels" / settings_digest()


@functools.cache
def kernel_folder() -> Path | None:
    """Where compiled kernels of these versions and settings lie; None when there is no place for them."""
    try:
        folder = kernels_below(user_cache())
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            _drop_old_folders(folder.parent)
        with contextlib.suppress(OSError):  # in a jail it can be read only
            os.utime(folder)
        return folder if os.access(folder, os.R_OK | os.X_OK) else None
    except (OSError, RuntimeError):  # RuntimeError: no home directory
        return None


def lent_kernels() -> Path | None:
    """Kernels of another cache that may be read, too, as $QPOLIS_LENT_KERNELS says: bots in a jail cannot write
    the common one."""
    lent = os.environ.get(LENT)
    return Path(lent) if lent else None


def kernels_are_kept() -> bool:
    """Is there a place to write compiled kernels?"""
    folder = kernel_folder()
    return folder is not None and os.access(folder, os.W_OK)


def _age(path: Path) -> float:
    """When a file or folder was last changed."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _drop_old_folders(root: Path) -> None:
    """Keep the folders that were used last."""
    for folder in sorted(root.iterdir(), key=_age, reverse=True)[KEPT_FOLDERS:]:
        shutil.rmtree(folder, ignore_errors=True)


class _Locator(caching._CacheLocator):  # type: ignore[misc]
    """Puts a function's compiled code into a folder of its module's name, and the digest of its sources into the
    names of the files."""

    def __init__(self, function: Any, source: str) -> None:
        self._function = function
        self._source = Path(source)
        self._py_file = source  # numba's name for it, when it warns of a function that cannot be cached

    def get_cache_path(self) -> str:
        folder = kernel_folder()
        assert folder is not None  # from_function was asked first
        return str(folder / self._function.__module__)

    def get_source_stamp(self) -> str:
        """Nothing: the names of the files say it."""
        return ""

    def get_disambiguator(self) -> str:
        return source_digest(self._function)[:24]

    @classmethod
    def from_function(cls, function: Any, source: str) -> _Locator | None:
        usable = kernel_folder() is not None and os.path.isfile(source)
        return cls(function, source) if usable else None


class _CacheImpl(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Compiled code, and the kernels that must be loaded before it."""

    _locator_classes = [_Locator]

    def reduce(self, cres: Any) -> Any:
        return needs(cres), super().reduce(cres)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        needed, compiled = payload
        return super().rebuild(target_context, compiled) if provide(needed) else None


_games: dict[str, set[Any]] = {}  # kernels that verbs bind, by record type


def depend_on(function: Any, dtype: np.dtype) -> None:
    """Note that any kernel may hold code of this function if it is compiled for records of this dtype."""
    _games.setdefault(str(numpy_support.from_dtype(dtype)), set()).add(function)


def game_sources(sig: Any) -> list[str]:
    """Digests of the kernels that verbs bind in a kernel of these argument types, or of this signature."""
    text = " ".join(map(str, getattr(sig, "args", sig)))
    return [source_digest(*functions) for record, functions in sorted(_games.items()) if record in text]


def _apart_digest(function: Any, args: Any) -> str:
    return repr((source_digest(function), game_sources(args), settings_digest()))


class _KernelCache(caching.FunctionCache):  # type: ignore[misc]
    """numba's cache, made safe for several processes and for a damaged or full disk.

    Two processes that save different signatures of one function at once could give both the same data file
    and so hand one of them the other's code: saving holds a lock. Whatever cannot be read is compiled anew,
    whatever cannot be written is not kept.
    """

    _impl_class = _CacheImpl

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file: Any
        self._lent_file: Any = None
        if lent := lent_kernels():
            self._lent_file = caching.IndexDataCacheFile(
                str(lent / function.__module__), self._impl.filename_base, self._impl.locator.get_source_stamp()
            )

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        """numba's key and the sources of the games whose kernels may have been bound."""
        return super()._index_key(sig, codegen), *game_sources(sig)

    def has(self, sig: Any) -> bool:
        """Is there compiled code for this signature? It may yet prove to be damaged."""
        try:
            key = self._index_key(sig, registry.cpu_target.target_context.codegen())
            files = filter(None, (self._cache_file, self._lent_file))
            return any(key in file._load_index() for file in files)
        except Exception:  # see `load_overload`
            return False

    @contextlib.contextmanager
    def compiling(self, sig: Any) -> Iterator[None]:
        """Around loading or compiling: what one process compiles, another one that wants it waits for. Locks nest
        as kernels call each other, so that two processes cannot wait for each other."""
        with contextlib.ExitStack() as stack:
            if not self.has(sig):
                _announce()
                with contextlib.suppress(OSError, filelock.Timeout):
                    self._impl.locator.ensure_cache_path()
                    lock = os.path.join(self.cache_path, f"{self._impl.filename_base}.lock")
                    stack.enter_context(filelock.FileLock(lock, timeout=PATIENCE))
            yield

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = self._load(sig, target_context)
        if found is None and self._lent_file:
            own, self._cache_file = self._cache_file, self._lent_file
            try:
                found = self._load(sig, target_context)
            finally:
                self._cache_file = own
        if found is None:
            _announce()
        return found

    def _load(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a torn or foreign file can fail in any way while it is unpickled
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            self._impl.locator.ensure_cache_path()
            with filelock.FileLock(os.path.join(self.cache_path, ".lock")):
                try:
                    if len(self._cache_file._load_index()) >= KEPT_RESULTS:
                        self.flush()
                    super().save_overload(sig, data)
                    self._drop_old_versions()
                except OSError:
                    raise
                except Exception:  # a torn index: start a new one
                    self.flush()
                    super().save_overload(sig, data)
        except OSError:
            pass

    def _drop_old_versions(self) -> None:
        """Keep the last versions of this kernel's sources that were compiled."""
        stem = self._impl.filename_base.rsplit("-", 1)[0]
        indexes = sorted(Path(self.cache_path).glob(f"{glob.escape(stem)}-*.nbi"), key=_age, reverse=True)
        for index in indexes[KEPT_VERSIONS:]:
            for path in index.parent.glob(f"{glob.escape(index.stem)}.*"):
                path.unlink(missing_ok=True)


class _NoCache(caching.NullCache):  # type: ignore[misc]
    """For a machine without a place to keep kernels: says so when it matters."""

    def load_overload(self, sig: Any, target_context: Any) -> None:
        _announce()

    def has(self, sig: Any) -> bool:
        return False

    def compiling(self, sig: Any) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()


@functools.cache
def _announce() -> None:
    if announcement.instead:
        announcement.instead()
    elif not kernels_are_kept():
        on_compile(f"compiling at every start, because {user_cache()} cannot be written ...")
    else:
        on_compile("compiling (first run only) ...")


def record(fields: list[Any]) -> np.dtype:
    """The dtype of records with these fields, which compiled and interpreted kernels read by name."""
    for name, *_ in fields:
        if hasattr(np.generic, name):
            raise TypeError(f"the field {name!r} would be hidden by NumPy's method of that name")
    return np.dtype((np.record, fields))


def source_part(function: Callable[..., Any]) -> str:
    """The part of the package that a function is in, empty if it is in none."""
    path = Path(function.__code__.co_filename).resolve()
    return path.relative_to(PACKAGE).parts[0] if PACKAGE in path.parents else ""


def kernel(function: Callable[..., Any] | None = None, *, apart: bool = False) -> Any:
    """Compile `function` with the options every kernel shares, cached on disk.

    nogil: batches of games run in threads. error_model "numpy": no hidden branch for a division by zero.
    No fastmath: the same numbers on every machine. With NUMBA_DISABLE_JIT=1 the function stays plain Python.
    apart: for large kernels that several others call; see `kernel_linking.py`.
    """
    if function is None:
        return functools.partial(kernel, apart=apart)
    if source_part(function).startswith(PEOPLE):
        raise TypeError(f"{function.__name__}: no kernels in {source_part(function)}, which faces people")
    if not JIT:
        return function
    options = {"nogil": True, "error_model": "numpy"}
    digest = functools.partial(_apart_digest, function)
    dispatcher = ApartKernel(function, digest, **options) if apart else Kernel(function, **options)
    if kernel_folder() is not None and os.path.isfile(function.__code__.co_filename):
        dispatcher._cache = _KernelCache(function)
    else:
        dispatcher._cache = _NoCache()
    return dispatcher
