import { randomBytes } from "node:crypto"

export type IdPrefix =
  | "org"
  | "ws"
  | "opr"
  | "inv"
  | "feed"
  | "doc"
  | "ans"
  | "form"
  | "resp"
  | "note"
  | "ep"
  | "msg"
  | "dlv"
  | "req"
  | "tok"
  | "mail"
  | "jrn"
  | "syn"
  | "cho"
  | "eval"
  | "run"
  | "node"
  | "file"
  | "upl"

/**
 * Makes an id such as `ans_0199…`: a prefix for its kind, then a UUIDv7 (RFC 9562). Ids sort by creation, so
 * lists are read newest first by id alone, and 62 random bits keep them unguessable.
 */
export function newId(prefix: IdPrefix, nowMs: number): string {
  return `${prefix}_${Bun.randomUUIDv7("hex", nowMs).replaceAll("-", "")}`
}

/** Lower bound of every id made at or after `atMs`, which turns a range of times into a range of ids. */
export function firstIdAt(prefix: IdPrefix, atMs: number): string {
  return `${prefix}_${Math.max(atMs, 0).toString(16).padStart(12, "0")}`
}

/** A project's identifier. The specification asks for 8 to 64 lowercase letters and digits. */
export function newProjectId(): string {
  return randomText(16, "abcdefghijklmnopqrstuvwxyz0123456789")
}

/** Draws `length` characters uniformly from `alphabet` (at most 256 characters). */
export function randomText(length: number, alphabet: string): string {
  const even = 256 - (256 % alphabet.length)
  let text = ""
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < even && text.length < length) text += alphabet.charAt(byte % alphabet.length)
    }
  }
  return text
}

export function idsOf<Id>(items: readonly { id: Id }[]): Id[] {
  return items.map(({ id }) => id)
}
