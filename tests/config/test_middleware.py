"""What every answer carries, and whom of the network a request may quote."""

from __future__ import annotations

import ipaddress

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.cache import SessionStore
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from pytest_django.fixtures import Settings

from config import middleware


def answer(request: HttpRequest) -> HttpResponse:
    return HttpResponse("hello")


@pytest.fixture
def request_() -> HttpRequest:
    return RequestFactory().get(
        "/",
        REMOTE_ADDR="10.0.0.1",
        HTTP_X_FORWARDED_FOR="1.2.3.4, 203.0.113.9, 10.0.0.2",
        HTTP_X_FORWARDED_PROTO="https",
    )


def test_s23_forwarded_headers_are_ignored_without_trusted_proxies(
    request_: HttpRequest, settings: Settings
) -> None:
    settings.TRUSTED_PROXIES = ()
    middleware.TrustedProxies(answer)(request_)
    assert request_.META["REMOTE_ADDR"] == "10.0.0.1"
    assert not request_.is_secure()


def test_s23_a_trusted_proxy_names_the_visitor_but_the_visitor_cannot_add_names(
    request_: HttpRequest, settings: Settings
) -> None:
    settings.TRUSTED_PROXIES = (ipaddress.ip_network("10.0.0.0/8"),)
    middleware.TrustedProxies(answer)(request_)
    assert request_.META["REMOTE_ADDR"] == "203.0.113.9"
    assert request_.is_secure()


def test_s23_an_unreadable_chain_leaves_the_proxy_as_the_visitor(
    settings: Settings,
) -> None:
    settings.TRUSTED_PROXIES = (ipaddress.ip_network("10.0.0.0/8"),)
    request = RequestFactory().get("/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR="nonsense")
    middleware.TrustedProxies(answer)(request)
    assert request.META["REMOTE_ADDR"] == "10.0.0.1"


def test_s02_the_policy_is_sent_and_a_view_may_send_its_own() -> None:
    request = RequestFactory().get("/")
    policy = middleware.ContentSecurityPolicy(answer)(request)["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy

    def embed(request: HttpRequest) -> HttpResponse:
        return HttpResponse(headers={"Content-Security-Policy": "frame-ancestors *"})

    kept = middleware.ContentSecurityPolicy(embed)(request)
    assert kept["Content-Security-Policy"] == "frame-ancestors *"


def test_s06_only_pages_of_somebody_signed_in_are_kept_out_of_caches() -> None:
    request = RequestFactory().get("/")
    request.session = SessionStore()
    request.user = AnonymousUser()
    response = middleware.CacheRules(answer)(request)
    assert "Cache-Control" not in response
    assert response["Vary"] == "Cookie, HX-Request"

    request.session = SessionStore(session_key="a" * 32)
    request.user = User()
    response = middleware.CacheRules(answer)(request)
    assert response["Cache-Control"] == "private, no-store"


@pytest.mark.django_db
def test_another_host_is_refused_also_where_a_session_is_sent(client: Client) -> None:
    """Before, it was answered 500: the user of a session is known only behind that refusal."""
    client.force_login(User.objects.create_user("ana"))
    answer = client.get("/", headers={"host": "evil.example"})
    assert answer.status_code == 400
