"""Settings of Rungs: embedded defaults; `DATABASE_URL` and `REDIS_URL` change the engines.

Every choice of an installation is read in `config.env`; nothing here reads the environment.
"""

from __future__ import annotations

import importlib
import os
from datetime import timedelta
from typing import Any

from config.env import BASE, read_environment
from config.schedule import beat_schedule

# Whatever this program writes belongs to its user alone (reliability S-20).
os.umask(0o077)

ENVIRONMENT = read_environment()
DATA = ENVIRONMENT.data

# Core

DEBUG = ENVIRONMENT.debug
SECRET_KEY = ENVIRONMENT.secret_key
SECRET_KEY_FALLBACKS = ENVIRONMENT.secret_key_fallbacks
ALLOWED_HOSTS = ENVIRONMENT.allowed_hosts
BIND, PORT = ENVIRONMENT.bind, ENVIRONMENT.port
RUNNERS = ENVIRONMENT.runners
LEASE_SECONDS = ENVIRONMENT.lease_seconds
WEB_PROCESSES, WEB_THREADS = ENVIRONMENT.web_processes, ENVIRONMENT.web_threads
HAS_PUBLIC_URL = bool(ENVIRONMENT.public_url)
PUBLIC_URL = ENVIRONMENT.public_url or f"http://127.0.0.1:{ENVIRONMENT.port}"
TRUSTED_PROXIES = ENVIRONMENT.trusted_proxies
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "leagues",
    # The addresses load the admin: runners and commands have none.
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    # Its other configuration would put loaders of its own in the place of ours.
    "template_partials.apps.SimpleAppConfig",
    "rest_framework",
    "drf_spectacular",
    "axes",
]

MIDDLEWARE = [
    "config.middleware.BodilessHead",
    "config.middleware.RequestId",
    "config.middleware.ReadableCookies",
    "config.middleware.TrustedProxies",
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.ContentSecurityPolicy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "config.middleware.CacheRules",
    "config.middleware.OnlyUtf8",
    "config.middleware.RetryReads",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.middleware.KeepSession",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    [
                        (
                            "django.template.loaders.cached.Loader",
                            [
                                "config.templates.Loader",
                                "django.template.loaders.app_directories.Loader",
                            ],
                        )
                    ],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "leagues.views.common.way_back",
            ],
        },
    }
]

# Database

SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    # For writers of our own: a page that waits longer has lost its reader.
    "queue_seconds": ENVIRONMENT.statement_seconds,
    # For other programs that write, and for the moments in which a file is opened or closed.
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL;"
        "PRAGMA synchronous=FULL;"
        "PRAGMA temp_store=MEMORY;"
        "PRAGMA mmap_size=134217728;"
        "PRAGMA cache_size=-20000;"
        "PRAGMA journal_size_limit=27103364;"
        # With SQLite's own 1000 pages an import would clear the log at nearly every commit.
        "PRAGMA wal_autocheckpoint=4000;"
    ),
}
POSTGRES_OPTIONS = {
    "connect_timeout": 3,
    # A server that is gone without a word is noticed (reliability F-29).
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "application_name": "rungs",
    "options": (
        "-c lock_timeout=5s"
        f" -c statement_timeout={ENVIRONMENT.statement_seconds}s"
        " -c idle_in_transaction_session_timeout=60s"
        # Its default is that of disks that turn: all matches are read where a thousand are wanted.
        " -c random_page_cost=1.1"
    ),
}

DATABASES: dict[str, dict[str, Any]] = {
    # A connection outlives its request: to open one costs more than a page asks of it.
    "default": dict(ENVIRONMENT.database) | {"CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}
}
IS_SQLITE = DATABASES["default"]["ENGINE"].endswith("sqlite3")
if IS_SQLITE:
    # Tests share a file between threads and processes, as the real thing does.
    DATABASES["default"] |= {
        "ENGINE": "config.sqlite",
        "OPTIONS": SQLITE_OPTIONS,
        "TEST": {"NAME": DATA / "test.sqlite3"},
    }
else:
    DATABASES["default"] |= {
        "OPTIONS": POSTGRES_OPTIONS | DATABASES["default"].get("OPTIONS", {}),
    }

PREPARED_STATEMENTS = ENVIRONMENT.prepared_statements

CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

# Language and time

LANGUAGE_CODE = ENVIRONMENT.language
LANGUAGES = [("en", "English")]
LOCALE_PATHS = [BASE / "locale"]
FORMAT_MODULE_PATH = ["config.formats"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# Accounts

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
_VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_VALIDATION}.UserAttributeSimilarityValidator"},
    {"NAME": f"{_VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": f"{_VALIDATION}.CommonPasswordValidator"},
]
PASSWORD_RESET_TIMEOUT = 60 * 60
LOGIN_URL = "accounts:sign-in"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "/"

# Failures count for an account from an address, so that a rival elsewhere cannot lock an
# organizer out by guessing; a browser that signed in before counts apart from its address.
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_CALLABLE = "leagues.accounts.attempts.axes_name"
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_DISABLE_ACCESS_LOG = True
AXES_LOCKOUT_CALLABLE = "leagues.accounts.views.locked_out"
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False

# Browser side (reliability 4.5)

_HTTPS = ENVIRONMENT.is_https
SESSION_COOKIE_NAME = "__Host-session" if _HTTPS else "session"
CSRF_COOKIE_NAME = "__Host-csrf" if _HTTPS else "csrf"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 30 * 24 * 60 * 60
CSRF_TRUSTED_ORIGINS = [ENVIRONMENT.public_url] if ENVIRONMENT.public_url else []
CSRF_FAILURE_VIEW = "leagues.views.errors.csrf_failure"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if _HTTPS else 0
# Only a proxy that is trusted to say how the visitor came can end the redirection.
SECURE_SSL_REDIRECT = _HTTPS and bool(TRUSTED_PROXIES)
# A league's site does not speak for the other hosts of its domain (subdomains, preload).
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; object-src 'none'; manifest-src 'self'"
)

# Sizes of what is sent here (reliability S-13). The web server refuses what is larger than the
# limit of its address before any of it is kept: this one, or the `body_limit` of the view.
BODY_LIMIT = 1024 * 1024
# Of the view that takes most fields: pasted results. A file is counted by its own form.
DATA_UPLOAD_MAX_MEMORY_SIZE = 6 * 1024 * 1024
# A night sheet of 500 results may ask about each of them and about every name.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 4000
DATA_UPLOAD_MAX_NUMBER_FILES = 1
FILE_UPLOAD_PERMISSIONS = 0o600

# Static files

STATIC_URL = "/static/"
STATIC_ROOT = DATA / "static"
STATICFILES_DIRS = [BASE / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.static.StaticStorage"
    },
}
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = DEBUG

# E-mail

EMAIL_BACKEND = ENVIRONMENT.email["EMAIL_BACKEND"]
EMAIL_HOST = ENVIRONMENT.email.get("EMAIL_HOST") or "localhost"
EMAIL_PORT = ENVIRONMENT.email.get("EMAIL_PORT") or 25
EMAIL_HOST_USER = ENVIRONMENT.email.get("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD = ENVIRONMENT.email.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS = ENVIRONMENT.email.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = ENVIRONMENT.email.get("EMAIL_USE_SSL", False)
EMAIL_FILE_PATH = ENVIRONMENT.email.get("EMAIL_FILE_PATH") or None
EMAIL_TIMEOUT = 5
DEFAULT_FROM_EMAIL = SERVER_EMAIL = ENVIRONMENT.email_from

# API

REST_FRAMEWORK = {
    "DEFAULT_PERMISSION_CLASSES": ["config.permissions.Nobody"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "NUM_PROXIES": 0,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Rungs",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    # Fields of one name with different words need names of their own in the schema.
    "ENUM_NAME_OVERRIDES": {
        "MatchKindEnum": "leagues.models.match.MatchKind",
        "ResultKindEnum": "leagues.models.match.ENTERED_CHOICES",
        "LeavingEnum": "leagues.api.match_shapes.LEAVING_CHOICES",
        "MatchEventKindEnum": "leagues.models.match.MatchEventKind",
        "MatchStatusEnum": "leagues.models.match.MatchStatus",
        "RevisionKindEnum": "leagues.models.ledger.RevisionKind",
        "RevisionStateEnum": "leagues.models.ledger.RevisionState",
        "SeasonStateEnum": "leagues.models.league.SeasonState",
        "BoardStateEnum": "leagues.models.board.BoardState",
        "PreviewStateEnum": "leagues.api.preview_shapes.PREVIEW_STATES",
    },
}

# Jobs: the database is the queue; messages only say that there is work, and may be lost.

WAKE_PIPE = DATA / "jobs.wake"
REDIS_URL = ENVIRONMENT.redis_url
CELERY_BROKER_URL = REDIS_URL or "memory://"
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Workers and beat wait for a broker that is away, however long; the default gives up.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 900,
    "socket_timeout": 1,
    "socket_connect_timeout": 1,
    "retry_on_timeout": False,
    # Who publishes waits for no second attempt: the sweep finds what was not announced.
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0,
}
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_DEFAULT_QUEUE = "rungs"
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = 600
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE = beat_schedule()
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA / "celerybeat")
CELERY_TIMEZONE = "UTC"

# Logs

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "request": {"()": "config.logs.RequestIdFilter"},
        "outage": {"()": "config.logs.OutageFilter"},
        "asked_again": {"()": "config.logs.AskedAgainFilter"},
        "client": {"()": "config.logs.ClientFaultFilter"},
    },
    "formatters": {
        "plain": {"()": "config.logs.PlainFormatter"},
        "json": {"()": "config.logs.JsonFormatter"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": ENVIRONMENT.log,
            "filters": ["request", "client"],
        },
        "null": {"class": "logging.NullHandler"},
    },
    "root": {"handlers": ["stderr"], "level": ENVIRONMENT.log_level},
    "loggers": {
        "django": {"handlers": [], "level": ENVIRONMENT.log_level, "propagate": True},
        "django.request": {"filters": ["outage", "asked_again"]},
        "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
        # The answer says it; a stranger's invented host is no news and would fill the log.
        # Without any handler Python itself would print it, with a traceback.
        "django.security.DisallowedHost": {"handlers": ["null"], "propagate": False},
        "axes": {"handlers": [], "level": "WARNING", "propagate": True},
    },
}

if REDIS_URL:
    # Every process publishes; without Redis none of them pays for the import.
    importlib.import_module("config.celery")
