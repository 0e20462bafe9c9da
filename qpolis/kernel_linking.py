"""How kernels call kernels, so that each piece of code goes through the compiler once.

numba makes a whole program of every function, with all that it calls, even if only other kernels call it: at each
level of calls everything below is optimised and turned into machine code again. Here a kernel that others call is

- *linked*: kept as half-finished code that goes into its callers, where it can be inlined. Only what Python calls
  becomes machine code;
- or, if it is large (`kernel(apart=True)`), *apart*: compiled once, and called by a symbol. What is compiled for
  callers that lie in the cache must be there before they are loaded: `needs` and `provide`.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable
from typing import Any

import llvmlite.binding
from numba.core import codegen, compiler, dispatcher, registry, sigutils, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.typing import templates

SYMBOL = "qpolis$"  # all symbols of kernels that stand apart begin so

_apart: dict[tuple[str, str], ApartKernel] = {}  # by module and name
_symbols: dict[str, tuple[str, str, Any]] = {}  # the kernel and the argument types that a symbol stands for

Need = tuple[str, str, str, Any]  # a symbol, the module and the name of the kernel, its argument types


class _Unfinished(codegen.JITCodeLibrary):  # type: ignore[misc, name-defined]
    """Code to be linked into callers: never turned into machine code."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


class _LinkedCompiler(dispatcher._FunctionCompiler):  # type: ignore[misc, name-defined]
    def _compile_core(self, args: Any, return_type: Any) -> Any:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        context = self.targetdescr.target_context
        return compiler.compile_extra(
            self.targetdescr.typing_context,
            context,
            self.py_func,
            args=args,
            return_type=return_type,
            flags=flags,
            locals=self.locals,
            library=_Unfinished(context.codegen(), self.py_func.__qualname__),
            pipeline_class=self.pipeline_class,
        )


class _Linked(registry.CPUDispatcher):  # type: ignore[misc, name-defined]
    """A kernel as its callers see it, to be linked into them."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel.py_func, targetoptions=kernel.targetoptions)
        self._compiler = _LinkedCompiler(
            kernel.py_func, self.targetdescr, kernel.targetoptions, {}, compiler.Compiler
        )
        self._compiling_counter = kernel._compiling_counter  # by which numba notices that a kernel calls itself

    def compile(self, sig: Any) -> Any:
        with global_compiler_lock, self._compiling_counter:
            args, return_type = sigutils.normalize_signature(sig)
            found = self.overloads.get(tuple(args))
            if found is None:
                found = self._compiler.compile(args, return_type)._replace(entry_point=object())
                self.targetctx.insert_user_function(found.entry_point, found.fndesc, [found.library])
                self.overloads[tuple(args)] = found
            return found.entry_point


class Kernel(registry.CPUDispatcher):  # type: ignore[misc, name-defined]
    """A compiled function: machine code for calls from Python, and its linked form for calls from kernels."""

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        super().__init__(function, targetoptions={"nopython": True, "boundscheck": None, **options})
        self._linked: _Linked | None = None

    @property
    def linked(self) -> _Linked:
        self._linked = self._linked or _Linked(self)
        return self._linked

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return self.linked.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        return self.linked.get_overload(sig)

    def compile(self, sig: Any) -> Any:
        with global_compiler_lock:
            args = tuple(sigutils.normalize_signature(sig)[0])
            if args not in self.overloads:
                with self._cache.compiling(sig):
                    super().compile(sig)
                _set_environments(self.overloads[args])
            return self.overloads[args].entry_point

    def is_ready(self, sig: Any) -> bool:
        """Is it compiled, here or in the cache?"""
        return tuple(sigutils.normalize_signature(sig)[0]) in self.overloads or self._cache.has(sig)


def _set_environments(result: Any) -> None:
    """Constants of linked kernels that are Python objects; numba sets only those of the kernel itself."""
    for environment in result._find_referenced_environments():
        result.library.codegen.set_env(environment.env_name, environment)


class ApartKernel(Kernel):
    """A kernel that its callers call by a symbol. `digest` gives for argument types a text that names everything
    its code depends on, so that no two versions of it have the same symbol."""

    def __init__(self, function: Callable[..., Any], digest: Callable[[Any], str], **options: Any) -> None:
        super().__init__(function, **options)
        self._digest = digest
        self._keys: dict[Any, Any] = {}
        _apart[function.__module__, function.__qualname__] = self

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return registry.CPUDispatcher.get_call_template(self, args, kws)

    def get_overload(self, sig: Any) -> Any:
        args = tuple(sigutils.normalize_signature(sig)[0])
        if args not in self._keys:
            self._keys[args] = self._name(args)
        return self._keys[args]

    def _name(self, args: Any) -> object:
        """Give the compiled code its symbol; returns the key by which numba finds how to call it."""
        result = self.overloads[args]
        symbol = self.symbol(args)
        llvmlite.binding.add_symbol(symbol, result.library.get_pointer_to_function(result.fndesc.llvm_func_name))
        outside = copy.copy(result.fndesc)
        outside.mangled_name = symbol
        outside.inline = False
        key = object()
        self.targetctx.insert_user_function(key, outside, [])
        _symbols[symbol] = (self.py_func.__module__, self.py_func.__qualname__, args)
        return key

    def symbol(self, args: Any) -> str:
        names = (
            self.py_func.__module__,
            self.py_func.__qualname__,
            self._digest(args),
            str(args),
            self.targetctx.codegen().magic_tuple(),
        )
        return SYMBOL + self.py_func.__name__ + hashlib.sha256(repr(names).encode()).hexdigest()[:32]


def needs(result: Any) -> list[Need]:
    """The symbols that compiled code calls."""
    functions = result.library._final_module.functions
    names = sorted(
        function.name for function in functions if function.is_declaration and function.name.startswith(SYMBOL)
    )
    return [(name, *_symbols[name]) for name in names]


def provide(needed: list[Need]) -> bool:
    """Load the kernels that cached code calls, or compile them; False if there is one that cannot be had: machine
    code with an unknown symbol would end the process."""
    for symbol, module, name, args in needed:
        if symbol not in _symbols:
            kernel = _apart.get((module, name))
            if kernel is None or kernel.symbol(args) != symbol:
                return False
            kernel.compile(args)
            kernel.get_overload(args)
    return True


def calls_kernel(function: Callable[..., Any], choose: Callable[..., Any]) -> None:
    """A call of a Python function inside of a kernel shall be one of the kernel that `choose` gives for the types
    of its arguments (None: there is none)."""

    class Template(templates.AbstractTemplate):  # type: ignore[misc, name-defined]
        key = function
        chosen: dict[Any, Any] = {}

        def generic(self, args: Any, kws: Any) -> Any:
            found = choose(*args)
            if found is None:
                return None
            kind = types.Dispatcher(found)
            if signature := kind.get_call_type(self.context, args, kws):
                self.chosen[signature.args] = kind.get_impl_key(signature)
            return signature

        def get_impl_key(self, sig: Any) -> Any:
            return self.chosen[sig.args]

    templates.infer_global(function, types.Function(Template))
