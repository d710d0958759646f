"""Codes of errors and problems: words of lower-case letters and digits joined by hyphens, however they are built."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "polqa_demo"
CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
# What else the package calls a code: the cells of an attribution, which are columns of data.
OTHERS = {("polqa_demo.evaluation.attribution", "Cell"), ("polqa_demo.evaluation.attribution", "ids")}

TREES = {
    ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts): ast.parse(file.read_text(encoding="utf-8"))
    for file in sorted(PACKAGE.rglob("*.py"))
}


def parameters(node: ast.AST) -> list[str]:
    """What a function, or a class by its fields or its `__init__`, is called with."""
    if isinstance(node, ast.FunctionDef):
        return [one.arg for one in node.args.args if one.arg != "self"]
    if isinstance(node, ast.ClassDef):
        made = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"]
        fields = [part.target for part in node.body if isinstance(part, ast.AnnAssign)]
        return parameters(made[0]) if made else [one.id for one in fields if isinstance(one, ast.Name)]
    return []


def takers() -> dict[tuple[str, str], int]:
    """`(module, name)` of all that takes a code, and at which place; a method stands under every module."""
    found: dict[tuple[str, str], int] = {}
    for module, tree in TREES.items():
        methods = {id(part) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for part in node.body}
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef | ast.ClassDef) or (module, node.name) in OTHERS:
                continue
            if "code" in parameters(node) and node.name != "__init__":
                found["*" if id(node) in methods else module, node.name] = parameters(node).index("code")
    return found


TAKERS = takers()


def origins(module: str) -> dict[str, tuple[str, str]]:
    """What each name of a module stands for."""
    own = {name: (module, name) for home, name in TAKERS if home == module}
    return own | {
        alias.asname or alias.name: (str(node.module), alias.name)
        for node in ast.walk(TREES[module])
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def given_codes(module: str) -> Iterator[ast.expr]:
    """The expressions that stand where a code is wanted."""
    names = origins(module)
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.ClassDef):
            bases = [names.get(base.id) for base in node.bases if isinstance(base, ast.Name)]
            if any(base in TAKERS for base in bases):
                yield from (call.args[0] for call in ast.walk(node) if is_super_init(call))
        elif isinstance(node, ast.Tuple) and is_remark(module, node):
            yield node.elts[0]
        elif isinstance(node, ast.Call):
            place = place_of(node.func, names)
            named = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
            if place is not None and (named or len(node.args) > place):
                yield named[0] if named else node.args[place]


def place_of(called: ast.expr, names: dict[str, tuple[str, str]]) -> int | None:
    if isinstance(called, ast.Name):
        return TAKERS.get(names.get(called.id, ("", "")))
    return TAKERS.get(("*", called.attr)) if isinstance(called, ast.Attribute) else None


def is_super_init(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and bool(node.args) and ast.unparse(node.func) == "super().__init__"


def is_remark(module: str, node: ast.Tuple) -> bool:
    """A pair of code and sentence, as gold sets carry them."""
    if not module.startswith(("polqa_demo.data.", "polqa_demo.submissions.")) or len(node.elts) != 2:
        return False
    code, sentence = node.elts
    return isinstance(code, ast.Constant) and ast.unparse(sentence).startswith(("message", "Bilingual("))


def texts(node: ast.expr) -> list[str]:
    """The codes that an expression can be, `x` in place of what is put in; none where a code is handed on."""
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.JoinedStr):
        return ["".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)]
    if isinstance(node, ast.IfExp):
        return [*texts(node.body), *texts(node.orelse)]
    assert "code" in ast.unparse(node), f"a code that no reader of the source can tell: {ast.unparse(node)}"
    return []


CODES = {(module, text) for module in TREES for node in given_codes(module) for text in texts(node)}


def test_the_test_sees_what_there_is() -> None:
    codes = {text for _, text in CODES}
    assert len(codes) > 200
    # From a helper, a half of one, from parts, by a subclass, as a remark, by a method, in a dataclass.
    assert codes >= {
        "index-missing",
        "not-utf8",
        "passages-x",
        "unknown-x",
        "duplicate-passage-id",
        "gold-variants",
        "empty-answers",
        "other-kind",
    }


def test_codes_are_words_joined_by_hyphens() -> None:
    assert sorted(f"{module}: {text}" for module, text in CODES if not CODE.fullmatch(text)) == []


def test_a_code_that_is_asked_for_exists() -> None:
    asked: set[str] = set()
    for tree in TREES.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare) and ast.unparse(node.left).endswith((".code", "['code']")):
                asked |= {part.value for part in ast.walk(node.comparators[0]) if isinstance(part, ast.Constant)}
    assert "index-missing" in asked
    assert asked <= {text for _, text in CODES}
