"""The schema as a page for people: addresses first, then the objects they speak of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from leagues.api.schema import api_schema


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an object, or a parameter of an address."""

    name: str
    kind: str
    component: str
    """The object it holds, if any: a link within the page."""
    is_required: bool
    meaning: str


@dataclass(frozen=True, slots=True)
class Answer:
    status: str
    component: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Operation:
    name: str
    method: str
    path: str
    steps: tuple[str, ...]
    """The path in pieces between which a narrow page may break it."""
    description: tuple[str, ...]
    parameters: tuple[Field, ...]
    body: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Component:
    name: str
    description: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    operations: tuple[Operation, ...]
    components: tuple[Component, ...]


@lru_cache(maxsize=1)
def api_reference() -> Reference:
    """Everything that the page shows."""
    schema = api_schema()
    return Reference(
        operations=tuple(
            _operation(method.upper(), path, said)
            for path, methods in schema["paths"].items()
            for method, said in methods.items()
        ),
        components=tuple(
            _component(name, said) for name, said in schema["components"]["schemas"].items()
        ),
    )


def _operation(method: str, path: str, said: Mapping[str, Any]) -> Operation:
    body = said.get("requestBody", {}).get("content", {}).get("application/json", {})
    return Operation(
        name=said["operationId"],
        method=method,
        path=path,
        steps=tuple(f"{step}/" for step in path.removesuffix("/").split("/")),
        description=tuple(_plain(said.get("description", "")).split("\n\n")),
        parameters=tuple(
            _field(parameter["name"], parameter["schema"] | parameter, parameter.get("required"))
            for parameter in sorted(said.get("parameters", ()), key=lambda row: row["in"] != "path")
            if parameter["in"] != "path"
        ),
        body=_component_of(body.get("schema", {})),
        answers=tuple(
            _answer(status, answer) for status, answer in sorted(said["responses"].items())
        ),
    )


def _answer(status: str, said: Mapping[str, Any]) -> Answer:
    content: Mapping[str, Any] = next(iter(said.get("content", {}).values()), {})
    return Answer(status, _component_of(content.get("schema", {})), said["description"])


def _component(name: str, said: Mapping[str, Any]) -> Component:
    required = said.get("required", ())
    alternatives = [_component_of(entry) for entry in said.get("oneOf", ())]
    fields = tuple(
        _field(field, about, field in required)
        for field, about in said.get("properties", {}).items()
    ) or tuple(Field("", "", alternative, False, "") for alternative in alternatives)
    return Component(name, _plain(said.get("description", "")), fields)


def _field(name: str, about: Mapping[str, Any], is_required: bool | None) -> Field:
    return Field(
        name=name,
        kind=_kind(about),
        component=_component_of(about),
        is_required=bool(is_required),
        meaning=_meaning(about),
    )


def _kind(about: Mapping[str, Any]) -> str:
    inner = about.get("items")
    kind = about.get("format") if about.get("type") == "string" else about.get("type")
    words = [f"list of {_kind(inner)}".rstrip() if inner else str(kind or about.get("type", ""))]
    if about.get("nullable"):
        words.append("or null")
    return " ".join(word for word in words if word)


def _meaning(about: Mapping[str, Any]) -> str:
    parts = [str(about.get("description", ""))]
    if "enum" in about:
        parts.append(f"One of: {', '.join(str(value) for value in about['enum'])}.")
    if about.get("default") not in (None, ""):
        parts.append(f"Default: {str(about['default']).lower()}.")
    return _plain(" ".join(part for part in parts if part))


def _plain(text: str) -> str:
    """A text of the schema, which is Markdown, without its marks."""
    return text.replace("`", "")


def _component_of(about: Mapping[str, Any]) -> str:
    for entry in (about, about.get("items", {}), *about.get("allOf", ())):
        if "$ref" in entry:
            return str(entry["$ref"]).rpartition("/")[2]
    return ""
