"""What schemathesis has to know beyond openapi.json to send what the document means: what JSON Schema cannot say, its descriptions do.

An id is to be one that exists, an address one that the project has declared or the resolver knows, a name one that no other field of the
form has, the present password the present one. Right values are made so here; a value that breaks its schema is left as it is. Paths
name the things that the world of the tests holds, and deletions what does not exist.
"""

import copy
import json
import os
import re

import schemathesis

WORLD = json.loads(os.environ["GUICHET_WORLD"])
IDS = WORLD["ids"]
ORIGIN = WORLD["site"]
# The one public name that the service's resolver knows: any other would be asked of the DNS.
WEBHOOKS = "https://hooks.acme.fr"
PASSWORD = {"present": WORLD["password"]}

# What each parameter of a path names, where it is not the collection that stands before it.
PARAMETERS = {"feedId": "feeds", "answerId": "answers", "responseId": "responses"}


# Every phase calls this one, right before a request is sent; the hooks that map what is generated, not all of them do.
@schemathesis.hook
def before_call(context, case, **kwargs):
    operation = case.operation
    if operation.method.upper() != "DELETE":
        collection = operation.path.split("/")[3]
        for name in case.path_parameters or {}:
            named = IDS.get(PARAMETERS.get(name, collection))
            if named:
                case.path_parameters[name] = named
    if "Origin" in (case.headers or {}):
        case.headers["Origin"] = ORIGIN
    patterns = operation.schema.raw_schema["components"]["schemas"]
    address = patterns["NewFeed"]["properties"]["address"]["pattern"]
    webhook = patterns["NewEndpoint"]["properties"]["url"]["pattern"]
    if isinstance(case.query, dict) and is_right(case.query.get("page"), address):
        case.query["page"] = under(ORIGIN, case.query["page"])
    if isinstance(case.body, dict):
        case.body = made_right(operation.path, case.body, address, webhook)


@schemathesis.hook
def after_call(context, case, response):
    if case.operation.path.endswith("/password") and case.method == "PUT" and response.status_code == 204:
        PASSWORD["present"] = case.body["password"]


def made_right(path, body, address, webhook):
    body = copy.deepcopy(body)
    if is_right(body.get("project"), "[a-z0-9]{8,64}"):
        body["project"] = IDS["projects"]
    if is_list(body.get("projects"), "[a-z0-9]{8,64}"):
        body["projects"] = [IDS["projects"]] * len(body["projects"])
    if is_list(body.get("forms"), "form_[0-9a-f]{32}"):
        body["forms"] = [IDS["forms"]] * len(body["forms"])
    if path.endswith("/feeds") and is_right(body.get("address"), address):
        body["address"] = under(ORIGIN, body["address"])
    if path.startswith("/api/v1/endpoints") and is_right(body.get("url"), webhook):
        body["url"] = under(WEBHOOKS, body["url"])
    if "site" in body and isinstance(body.get("origins", []), list):
        # The address that the other operations are sent from stays a declared one.
        body["origins"] = [*body.get("origins", []), ORIGIN]
    if path.startswith("/api/v1/forms"):
        make_distinct(body)
    if path.endswith("/password") and 1 <= len(text(body.get("present_password"))) <= 256:
        body["present_password"] = PASSWORD["present"]
    return body


def make_distinct(form):
    """No two fields of one name, no two options of one value; and a link by mail needs a field of type email."""
    fields = form.get("fields")
    if not isinstance(fields, list) or not all(isinstance(field, dict) for field in fields):
        return
    names = set()
    for at, field in enumerate(fields):
        name = text(field.get("name"))
        if name in names:
            fields[at] = field = {**field, "name": f"{name[:50]}_{at}"}
        names.add(text(field.get("name")))
        options = field.get("options")
        if isinstance(options, list) and all(isinstance(one, dict) for one in options):
            values = [text(one.get("value")).strip() for one in options]
            fields[at] = {**field, "options": [one for i, one in enumerate(options) if values[i] not in values[:i]]}
    consent = form.get("consent")
    if isinstance(consent, dict) and consent.get("confirmation") is True:
        if all(field.get("type") != "email" for field in fields):
            form["consent"] = {**consent, "confirmation": False}


def text(value):
    return value if isinstance(value, str) else ""


def is_list(value, pattern):
    return isinstance(value, list) and all(is_right(one, pattern) for one in value)


def is_right(value, pattern):
    return len(text(value)) <= 2048 and re.fullmatch(pattern, text(value)) is not None


def under(origin, address):
    return re.sub(r"^https?://[^/?#]*", origin, address)[:2048]
