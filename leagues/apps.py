"""The Django application that keeps leagues, their facts and what is computed from them."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext_lazy as _


class LeaguesConfig(AppConfig):
    name = "leagues"
    verbose_name = _("Leagues")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Teach connections and the queue what they lack; let guards stand aside for migrations."""
        # They define nothing but import models, which are not there before.
        from leagues.models.imprinted import keep_imprints_by  # noqa: PLC0415
        from leagues.services import baseline, job_kinds  # noqa: PLC0415
        from leagues.store import encoding, guards, imprints, search  # noqa: PLC0415

        job_kinds.register_all()
        imprints.connect()
        keep_imprints_by(imprints)
        connection_created.connect(search.add_functions)
        pre_migrate.connect(encoding.before_migrations, sender=self)
        pre_migrate.connect(guards.before_migrations, sender=self)
        post_migrate.connect(baseline.after_migrations, sender=self)
        post_migrate.connect(guards.after_migrations, sender=self)
