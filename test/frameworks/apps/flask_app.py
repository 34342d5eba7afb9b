import sys

from flask import Flask, request
from flask_wtf.csrf import CSRFProtect

mistake, port = sys.argv[1], int(sys.argv[2])
app = Flask(__name__)
app.secret_key = "x"
app.config["MAX_CONTENT_LENGTH"] = 100 if mistake == "size" else None
app.config["TRUSTED_HOSTS"] = ["localhost"] if mistake == "host" else None
if mistake == "csrf":
    CSRFProtect(app)


@app.route("/hook/" if mistake == "slash" else "/hook", methods=["GET" if mistake == "method" else "POST"])
def hook():
    request.get_data()
    return request.form["nom"] if mistake == "form" else "ok"


app.run("127.0.0.1", port)
