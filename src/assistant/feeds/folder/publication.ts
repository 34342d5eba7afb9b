import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Publication } from "../../documents/markdown/publication.ts"
import { settingsText } from "./settings.ts"

/** Folders above that of the pages in which the settings of a generator are looked for. */
const levelsUp = 4

const ends = ["toml", "yaml", "yml", "json"]
const named = (...names: string[]) => names.flatMap((name) => ends.map((end) => `${name}.${end}`))

/** The generators that publish by date, and the settings by which each is recognised. */
const signs: { by: Publication["by"]; files: string[]; beside?: string[] }[] = [
  { by: "jekyll", files: ["_config.yml", "_config.yaml", "_config.toml"] },
  { by: "hugo", files: named("hugo", "config/_default/hugo", "config/_default/config") },
  // Other programs have a `config.toml` too.
  { by: "hugo", files: named("config"), beside: ["content", "archetypes", "layouts", "themes"] },
]

const switches = /^[ \t{]*"?(future|build(?:future|expired|drafts))"?[ \t]*[:=][ \t]*true\b/gim

/** By which dates the pages of a folder, a real path, are published; undefined when by none. Never throws. */
export async function publicationOf(folder: string, nowMs: number): Promise<Publication | undefined> {
  let place = folder
  for (let level = 0; level <= levelsUp && place !== dirname(place); level++) {
    for (const { by, files, beside } of signs) {
      const file = files.find((name) => existsSync(join(place, name)))
      if (file === undefined || beside?.some((name) => existsSync(join(place, name))) === false) continue
      const switchedOn = [...((await settingsText(place, file)) ?? "").matchAll(switches)]
      const says = (wanted: string) => switchedOn.some(([, name]) => name?.toLowerCase() === wanted)
      return by === "jekyll"
        ? { by, future: says("future"), expired: true, drafts: false, nowMs }
        : {
            by,
            future: says("buildfuture"),
            expired: says("buildexpired"),
            drafts: says("builddrafts"),
            nowMs,
          }
    }
    if (existsSync(join(place, ".git"))) return undefined
    place = dirname(place)
  }
  return undefined
}
