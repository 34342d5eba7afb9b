import sys

import uvicorn
from fastapi import FastAPI, Header
from pydantic import BaseModel
from starlette.middleware.httpsredirect import HTTPSRedirectMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

mistake, port = sys.argv[1], int(sys.argv[2])
app = FastAPI()
if mistake == "host":
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=["localhost"])
if mistake == "https":
    app.add_middleware(HTTPSRedirectMiddleware)


class Order(BaseModel):
    number: int


def right():
    return "ok"


def shape(order: Order):
    return "ok"


def query(payload: str):
    return "ok"


def header(signature: str = Header()):
    return "ok"


hook = {"shape": shape, "query": query, "header": header}.get(mistake, right)
methods = ["GET" if mistake == "method" else "POST"]
app.add_api_route("/hook/" if mistake == "slash" else "/hook", hook, methods=methods)
uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", proxy_headers=mistake != "https")
