"""What an organizer does on the import pages."""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import League, Upload


@dataclass
class Sender:
    """An organizer's browser on the import pages of one league."""

    client: Client
    league: League

    @property
    def home(self) -> str:
        return f"/l/{self.league.slug}/import/"

    def send(
        self, content: str | bytes = b"", *, name: str = "results.csv", **fields: Any
    ) -> HttpResponse:
        """Send the first form: with a file, or with what `paste` says."""
        data = {"mode": self.league.modes.earliest("pk").slug, **fields}
        if content:
            bits = content.encode() if isinstance(content, str) else content
            data["file"] = SimpleUploadedFile(name, bits)
        return self.client.post(self.home, data)

    def checked(self, content: str | bytes, **fields: Any) -> str:
        """Send a file, let it be checked, and return the address of its page."""
        response = self.send(content, **fields)
        assert response.status_code == 302, response.content.decode()
        drain()
        return str(response["Location"])

    def page(self, address: str) -> str:
        """Return a page's text, with plain spaces."""
        response = self.client.get(address)
        assert response.status_code == 200
        return plain(response)

    def answer(self, address: str, do: str, **fields: Any) -> HttpResponse:
        """Press a button of the check, as whoever has just seen its page."""
        upload = Upload.objects.get(pk=address.removesuffix("/").rpartition("/")[2])
        report = upload.report or {}
        return self.client.post(address, {"check": report.get("check", ""), "do": do, **fields})

    def pressed(self, address: str, do: str = "write", **fields: Any) -> str:
        """Press a button as a browser does, with all that the form has; return the next page."""
        form = FormFields(self.client.get(address).content.decode())
        response = self.client.post(address, {**form.values, "do": do, **fields})
        assert response.status_code == 302, plain(response)
        drain()
        return self.page(address)

    def written(self, address: str, **fields: Any) -> str:
        """Press the button that writes, let it be written, and return the page."""
        assert self.answer(address, "write", **fields).status_code == 302
        drain()
        return self.page(address)


def plain(response: HttpResponse) -> str:
    """Return the text of an answer with every kind of space as a space."""
    return " ".join(response.content.decode().split())


class FormFields(HTMLParser):
    """What a browser would send of the fields of a page, but for its buttons."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self._select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        name, value = said.get("name") or "", said.get("value") or ""
        if tag == "select":
            self._select = name
        elif tag == "option" and ("selected" in said or self._select not in self.values):
            # Where none is selected, a browser takes the first.
            self.values[self._select] = value
        elif tag == "input" and name and (said.get("type") != "checkbox" or "checked" in said):
            self.values[name] = value
