import { quoted } from "./exchange.tsx"

/**
 * A receiver that verifies signatures as the specification says (part 5 B), in several languages and without a
 * library, filled in with a secret; and a command that sends a signed message as this program does.
 */
export function verifyCode(secret: string, url: string): Record<"js" | "python" | "php" | "curl", string> {
  return { js: js(secret), python: python(secret), php: php(secret), curl: curl(secret, url) }
}

function js(secret: string): string {
  return `import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"

const secret = "${secret}"
const key = Buffer.from(secret.slice("whsec_".length), "base64")

createServer(async (request, response) => {
  const pieces = []
  for await (const piece of request) pieces.push(piece)
  const body = Buffer.concat(pieces)
  const id = request.headers["webhook-id"]
  const sentAt = request.headers["webhook-timestamp"]
  const expected = createHmac("sha256", key).update(\`\${id}.\${sentAt}.\`).update(body).digest()
  const isSigned = String(request.headers["webhook-signature"])
    .split(" ")
    .some((signature) => {
      const given = Buffer.from(signature.replace(/^v1,/, ""), "base64")
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  const isFresh = Math.abs(new Date / 1000 - Number(sentAt)) <= 300
  if (isSigned && isFresh) console.log(JSON.parse(body).data)
  response.writeHead(isSigned && isFresh ? 204 : 401).end()
}).listen(4000)
`
}

function python(secret: string): string {
  return `import base64, hashlib, hmac, json, time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = "${secret}"
KEY = base64.b64decode(SECRET[len("whsec_"):])

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        sent_at = self.headers["webhook-timestamp"] or "0"
        signed = f"{self.headers['webhook-id']}.{sent_at}.".encode() + body
        digest = hmac.new(KEY, signed, hashlib.sha256).digest()
        expected = "v1," + base64.b64encode(digest).decode()
        signatures = (self.headers["webhook-signature"] or "").split(" ")
        is_signed = any(hmac.compare_digest(one, expected) for one in signatures)
        is_fresh = abs(time.time() - int(sent_at)) <= 300
        if is_signed and is_fresh:
            print(json.loads(body)["data"], flush=True)
        self.send_response(204 if is_signed and is_fresh else 401)
        self.end_headers()

HTTPServer(("", 4000), Receiver).serve_forever()
`
}

function php(secret: string): string {
  return `<?php
$secret = '${secret}';
$key = base64_decode(substr($secret, strlen('whsec_')));
$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$sentAt = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '0';
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sentAt.$body", $key, true));
$isSigned = false;
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
    $isSigned = hash_equals($expected, $signature) || $isSigned;
}
if (!$isSigned || abs(time() - (int) $sentAt) > 300) {
    http_response_code(401);
    exit;
}
$data = json_decode($body, true)['data'];
error_log(json_encode($data));
http_response_code(204);
`
}

function curl(secret: string, url: string): string {
  return `secret='${secret}'
url=${quoted(url)}
id=msg_essai
sent_at=$(date +%s)
body='{"type":"form.response.created","data":{"values":{"nom":"Essai"}}}'
key=$(printf %s "\${secret#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
signature=$(printf %s "$id.$sent_at.$body" \\
  | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
curl -i "$url" -H 'content-type: application/json' -H "webhook-id: $id" \\
  -H "webhook-timestamp: $sent_at" -H "webhook-signature: v1,$signature" --data-binary "$body"
`
}
