import { verificationCode } from "../../wording/verification-code.ts"
import type { Code } from "../kit/code-tabs.tsx"
import { quoted } from "./exchange.tsx"

/** Code that verifies a webhook with a secret, in several languages; and a command that sends a signed message. */
export function verifyCode(secret: string, url: string): Record<Code, string> {
  return {
    js: `const secret = "${secret}"\n// const ok = verify(secret, request.headers, rawBody)\n\n${verificationCode.js}`,
    python: `SECRET = "${secret}"\n# ok = verify(SECRET, request.headers, raw_body)\n\n${verificationCode.python}`,
    php: verificationCode.php.replace(
      "<?php\n",
      () =>
        `<?php\n$secret = '${secret}';\n// $ok = verify($secret, getallheaders(), file_get_contents('php://input'));\n\n`,
    ),
    curl: curl(secret, url),
  }
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
