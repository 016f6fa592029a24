"""API tokens: a program's key to one league (reliability S-10).

The plain token is returned once and stored nowhere; a fast hash is right for 256 random bits.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import string
from datetime import timedelta

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.text import slugify

from leagues.models import ApiToken, League
from leagues.services.audit import record_audit
from leagues.services.texts import clean_label
from leagues.store.prepared import prepare

LIFETIME = timedelta(days=365)
USE_NOTED_EVERY = timedelta(hours=1)

_FORM = re.compile(r"rungs_([a-z0-9]{8})_([A-Za-z0-9_-]{43})")
_ID_LETTERS = string.ascii_lowercase + string.digits


@transaction.atomic
def create_token(
    *, league: League, name: str, scope: str, actor: User | None, recent_only: bool = False
) -> tuple[ApiToken, str]:
    """Make a token and return it with its plain text, which nobody can read again."""
    try:
        name = clean_label(name)
    except ValidationError as error:
        raise ValidationError({"name": error}) from error
    public_id = "".join(secrets.choice(_ID_LETTERS) for _ in range(8))
    secret = secrets.token_urlsafe(32)
    token = ApiToken(
        league=league,
        name=name,
        source=source_of(name),
        public_id=public_id,
        secret_hash=_hash(secret),
        scope=scope,
        recent_only=recent_only,
        created_by=actor,
        expires_at=timezone.now() + LIFETIME,
    )
    token.full_clean(exclude=("created_by", "last_used_at", "revoked_at"))
    token.save()
    record_audit(
        league=league,
        actor=actor,
        action="token.create",
        subject=public_id,
        after={
            "name": name,
            "scope": scope,
            "recent_only": recent_only,
            "source": token.source,
        },
    )
    return token, f"rungs_{public_id}_{secret}"


def source_of(name: str) -> str:
    """The mark of results sent with a token of this name.

    It outlives the token: a new token of the same name continues the results of the old one, so
    that what was sent once is not taken for new (invariant I-17).
    """
    slug = slugify(name, allow_unicode=True) or hashlib.sha256(name.encode()).hexdigest()[:16]
    return f"token:{slug}"[: ApiToken._meta.get_field("source").max_length]


def find_token(plain: str) -> ApiToken | None:
    """Find the valid token with this plain text, and note that it was used."""
    form = _FORM.fullmatch(plain)
    if form is None:
        return None
    token = next(iter(_tokens_with_league(public_id=form[1])), None)
    stored = token.secret_hash if token else ""
    if not hmac.compare_digest(stored, _hash(form[2])) or token is None:
        return None
    now = timezone.now()
    if token.revoked_at is not None or token.expires_at <= now:
        return None
    _note_use(token)
    return token


@prepare
def _tokens_with_league(*, public_id: str) -> QuerySet[ApiToken, ApiToken]:
    return ApiToken.objects.select_related("league").filter(public_id=public_id).order_by()


@transaction.atomic
def revoke_token(*, token: ApiToken, actor: User | None) -> None:
    """End a token with its next request; its results stay."""
    changed = ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(
        revoked_at=timezone.now()
    )
    if changed:
        record_audit(
            league=token.league,
            actor=actor,
            action="token.revoke",
            subject=token.public_id,
            before={"name": token.name, "scope": token.scope},
        )


def _note_use(token: ApiToken) -> None:
    """Note the use once an hour: a write for each request would be the most of its cost."""
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at >= USE_NOTED_EVERY:
        stale = Q(last_used_at=None) | Q(last_used_at__lte=now - USE_NOTED_EVERY)
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
        token.last_used_at = now


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
