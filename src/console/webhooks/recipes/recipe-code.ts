import { verificationCode } from "../../../wording/verification-code.ts"

const verify = verificationCode.js
  .replace(/^import (\{.*\}) from "node:crypto"$/m, 'const $1 = require("crypto")')
  .replace(/^export function/m, "function")

/** The same check as elsewhere, as code steps of others' tools take it: no modules, and inputs of their own. */
export const recipeCode = {
  n8n: `${verify}
const [{ json }] = $input.all()
const body = await this.helpers.getBinaryDataBuffer(0, "data")
if (!verify("whsec_…", json.headers, body)) throw new Error("signature")
return [{ json: JSON.parse(body) }]
`,
  zapier: `${verify}
const { id, timestamp, signature, body } = inputData
const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature }
if (!verify("whsec_…", headers, body)) throw new Error("signature")
return JSON.parse(body)
`,
  /** A formula of Make, in which names stand for what the module before it gives. */
  make: "v1,{{sha256(webhook-id.webhook-timestamp.value; base64; SECRET; base64)}}",
}
