"""The Celery application: an engine that drains the job table, next to the embedded one.

Start workers with `celery -A config.celery worker` and the clock with
`celery -A config.celery beat`.
"""

from __future__ import annotations

import importlib
import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("rungs")
# Web threads publish too, and they do not inherit the main thread's current application.
app.set_default()
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["leagues"])

# The first message would load it otherwise, for half a second, while a visitor waits.
importlib.import_module("kombu.transport.redis")
