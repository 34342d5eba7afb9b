import { resolve } from "node:path"
import { systemClock } from "../../base/clock.ts"
import { UsageError } from "../../base/errors.ts"
import { type SignatureVerdict, signingKey, verifySignature } from "../../webhooks/endpoints/signature.ts"
import { defineCommand, json } from "../kit/command.ts"
import { readFile, readSecret } from "../kit/read-file.ts"

/** Twice the largest message: a formatted copy of one may be longer. */
const maxBodyBytes = 1024 * 1024

const verdictText: Record<SignatureVerdict, string> = {
  right: "the signature is right",
  wrong:
    "the signature is wrong: the secret is another endpoint's, or the body is not, byte for byte, what was sent (a program that reads JSON and writes it again changes it)",
  late: "the signature is right, and the message was sent more than five minutes ago: a receiver refuses it (--any-time here)",
}

export const verify = defineCommand({
  about: "checks the signature of a message that a receiver got",
  details:
    "Reads the secret from a prompt, or from the first line of stdin. Exits with 0 for a right signature, with 1 for a wrong or late one. data/operate/webhook-vectors.json holds messages to try a receiver's own code on.",
  args: { file: "file with the raw body of the request" },
  options: {
    id: { value: "ID", required: true, about: "value of the header webhook-id" },
    timestamp: { value: "SECONDS", required: true, about: "value of the header webhook-timestamp" },
    signature: { value: "TEXT", required: true, about: "value of the header webhook-signature" },
    "any-time": { about: "takes a message however long ago it was sent" },
    json,
  },
  async run({ args, options }) {
    const secret = await readSecret("signing secret (whsec_…)")
    if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret.trim()))
      throw new UsageError("a secret begins with whsec_")
    const body = await readFile(resolve(args.file), maxBodyBytes)
    const headers = new Headers({
      "webhook-id": options.id,
      "webhook-timestamp": options.timestamp,
      "webhook-signature": options.signature,
    })
    const verdict = verifySignature([signingKey(secret.trim())], headers, body, systemClock.now())
    const isTaken = verdict === "right" || (verdict === "late" && options["any-time"] === true)
    return {
      json: { verdict, taken: isTaken },
      text: verdictText[isTaken ? "right" : verdict],
      code: isTaken ? 0 : 1,
    }
  },
})
