import { toUnicodeForm } from "../../../base/text.ts"

export const nameLimits = { characters: 200, folders: 10 }

/** Invisible characters, such as marks of writing direction, and what systems do not take in a name. */
const unfit = /[\p{C}\p{Zl}\p{Zp}<>:"|?*\\]/u

/**
 * The name of an uploaded file, with the folders before it: `guide/install.md`. Undefined for one that leads out of its
 * folder, is absolute, is too long or too deep, or holds what no system takes.
 */
export function uploadName(given: string): string | undefined {
  const name = toUnicodeForm(given.toWellFormed(), "NFC")
  if (name.length > nameLimits.characters || unfit.test(name)) return undefined
  const parts = name.split("/")
  const isRight = (part: string) => part !== "" && part !== "." && part !== ".." && part.trim() === part
  return parts.length <= nameLimits.folders + 1 && parts.every(isRight) ? name : undefined
}
