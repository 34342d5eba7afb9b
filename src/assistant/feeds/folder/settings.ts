import { existsSync } from "node:fs"
import { join } from "node:path"
import { readText } from "./text.ts"

/** A site's settings are read up to here: longer ones are nobody's. */
const maxCharacters = 1_000_000

/** A settings file of a site in the folder `place`, a real path; undefined when it cannot be read. Never throws. */
export async function settingsText(place: string, name: string): Promise<string | undefined> {
  const path = join(place, name)
  if (!existsSync(path)) return undefined
  const text = await readText(path, place).catch(() => undefined)
  return typeof text === "string" ? text.slice(0, maxCharacters) : undefined
}
