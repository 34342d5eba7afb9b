import { dayIn } from "../base/clock.ts"
import { fold } from "../base/text.ts"

/** In characters, of each name within a file name. */
const maxLength = 60

/**
 * Name of a downloaded file: what it is, of what, and of which day, such as
 * `questions-mairie-de-saint-guenole-2026-11-20.csv`. Letters, digits and hyphens alone, which every system and
 * every header takes.
 */
export function fileName(
  parts: readonly string[],
  extension: string,
  { timezone, nowMs }: { timezone: string; nowMs: number },
): string {
  const words = parts.map(dashedWords).filter((part) => part !== "")
  return `${[...words, dayIn(timezone, nowMs)].join("-")}.${extension}`
}

function dashedWords(name: string): string {
  const words = fold(name).match(/[a-z0-9]+/g) ?? []
  return words.join("-").slice(0, maxLength).replace(/-$/, "")
}
