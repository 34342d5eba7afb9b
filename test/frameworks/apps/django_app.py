import sys

import django
from django.conf import settings
from django.http import HttpResponse, HttpResponseNotAllowed

mistake, port = sys.argv[1].removesuffix("-debug"), sys.argv[2]
middleware = ["security.SecurityMiddleware", "common.CommonMiddleware"]
if mistake == "csrf":
    middleware.append("csrf.CsrfViewMiddleware")
settings.configure(
    DEBUG=sys.argv[1].endswith("-debug"),
    SECRET_KEY="x" * 60,
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["localhost"] if mistake == "host" else ["*"],
    MIDDLEWARE=[f"django.middleware.{name}" for name in middleware],
    SECURE_SSL_REDIRECT=mistake == "https",
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework"],
)
django.setup()

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.core.management import execute_from_command_line
from django.urls import path
from rest_framework.decorators import api_view, parser_classes, permission_classes
from rest_framework.parsers import FormParser
from rest_framework.permissions import IsAuthenticated


def right(request):
    return HttpResponse("ok")


def signed_in(request):
    request.user = AnonymousUser()
    return login_required(right)(request)


@api_view(["POST"])
@parser_classes([FormParser])
def rest_form(request):
    return HttpResponse(request.data["nom"])


@api_view(["POST"])
@permission_classes([IsAuthenticated])
def rest_user(request):
    return HttpResponse("ok")


views = {
    "method": lambda request: HttpResponseNotAllowed(["GET"]),
    "login": signed_in,
    "rest-form": rest_form,
    "rest-user": rest_user,
}
urlpatterns = [path("hook/" if mistake == "slash" else "hook", views.get(mistake, right))]
execute_from_command_line(["manage", "runserver", f"127.0.0.1:{port}", "--noreload", "--skip-checks"])
