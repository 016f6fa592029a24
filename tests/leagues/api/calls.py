"""Calling the API as a program, a browser or nobody would."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from leagues.models import League
from leagues.services.tokens import create_token

BACKEND = "django.contrib.auth.backends.ModelBackend"


@dataclass
class Caller:
    """Somebody who calls, with the headers that say who."""

    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))
    headers: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **headers: str) -> HttpResponse:
        """Read `path`, below `/api/v1/` unless it is a whole address."""
        return self.client.get(_whole(path), headers=self.headers | _dashed(headers))

    def send(self, path: str, body: Any, method: str = "POST", **headers: str) -> HttpResponse:
        """Send a body as JSON."""
        return self.raw(path, json.dumps(body).encode(), method, **headers)

    def raw(
        self,
        path: str,
        body: bytes,
        method: str = "POST",
        kind: str = "application/json",
        **headers: str,
    ) -> HttpResponse:
        """Send bytes as they are."""
        return self.client.generic(
            method, _whole(path), body, content_type=kind, headers=self.headers | _dashed(headers)
        )

    def pages(self, path: str) -> list[dict[str, Any]]:
        """Read a whole list by its next addresses."""
        rows: list[dict[str, Any]] = []
        following: str | None = path
        while following:
            page = self.get(following).json()
            rows += page["results"]
            following = page["next"]
        return rows


def program(
    league: League, scope: str = "results", name: str = "Bot", recent_only: bool = False
) -> Caller:
    """Return a program with a new token of a league."""
    _token, plain = create_token(
        league=league, name=name, scope=scope, actor=None, recent_only=recent_only
    )
    return Caller(headers={"Authorization": f"Bearer {plain}"})


def browser(user: User) -> Caller:
    """Return a signed-in browser."""
    client = Client(raise_request_exception=False)
    client.force_login(user, BACKEND)
    return Caller(client)


def _whole(path: str) -> str:
    return path if path.startswith(("/", "http")) else f"/api/v1/{path}"


def _dashed(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}
