/** @jsxImportSource preact */
import { createHash } from "node:crypto"
import { Refusal, statusOfCode } from "../../base/errors.ts"
import { messages } from "../messages/shell.fr.ts"
import type { Filled } from "./form.ts"

/**
 * What a page showed of the thing it changes, in short: what somebody else changes meanwhile is not undone
 * unseen.
 */
const seenField = "guichet_seen"

/**
 * `status`: that of the page. Who was told of another's change, and saves all the same, knows what they do.
 */
export function Seen({ thing, filled, status }: { thing: object; filled: Filled; status: number }) {
  const typed = status === statusOfCode.conflict ? null : filled.values.get(seenField)
  return <input type="hidden" name={seenField} value={typed ?? markOf(thing)} />
}

/** Throws Refusal `conflict` when the thing is no longer what the page showed. */
export function requireSeen(values: URLSearchParams, thing: object): void {
  const seen = values.get(seenField)
  if (seen !== null && seen !== markOf(thing)) throw new Refusal("conflict", messages.changedMeanwhile)
}

function markOf(thing: object): string {
  return createHash("sha256").update(JSON.stringify(thing)).digest("base64url").slice(0, 16)
}
