"""The web application for a WSGI server."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from leagues.jobs.memory import settle_memory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# A page that needs longer has lost its reader; workers keep the longer default.
os.environ.setdefault("RUNGS_STATEMENT_SECONDS", "15")

application = get_wsgi_application()

# Looking at the patterns loads every view, before the first visitor waits for it.
get_resolver().url_patterns  # noqa: B018
settle_memory()
