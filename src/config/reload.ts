import { type Config, readConfig, type Secrets } from "./config.ts"
import type { DatabaseServer } from "./database-url.ts"
import type { Setting } from "./parse.ts"
import { settings } from "./settings.ts"

/** Names of settings. */
export interface Changes {
  /** They have their new value. */
  changed: string[]
  /** They have another value in their file, which the next start takes. */
  atNextStart: string[]
}

/**
 * Reads the files of the settings again. Throws UsageError when any value is bad. Nothing is changed before the
 * result is called, which changes `config.secrets` in place.
 */
export function readAgain(config: Config): () => Changes {
  const next = readConfig(config.secrets.environment)
  return () => {
    const changes: Changes = { changed: [], atNextStart: [] }
    for (const setting of Object.values(settings) as Setting[]) {
      const { name } = setting
      const [before, after] = [config.secrets.read[name], next.secrets.read[name]]
      if (before === after) continue
      const isChanged = Boolean(before && after) && take(config.secrets, next.secrets, setting.reloads)
      if (isChanged && after) config.secrets.read[name] = after
      changes[isChanged ? "changed" : "atNextStart"].push(name)
    }
    if (next.webhook.ca !== config.webhook.ca) changes.atNextStart.push(settings.webhookCaFile.name)
    return changes
  }
}

/** False when the running program cannot take the new value. */
function take(secrets: Secrets, next: Secrets, part: Setting["reloads"]): boolean {
  if (part === undefined) return false
  const [before, after] = [secrets[part], next[part]]
  if (part === "database" && !isSamePlace(secrets.database, next.database)) return false
  // Who holds the object reads its new contents.
  if (typeof before === "object" && typeof after === "object") Object.assign(before, after)
  else Object.assign(secrets, { [part]: after })
  return true
}

/** Whether two addresses name one database, with whatever user. */
function isSamePlace(one: DatabaseServer | undefined, other: DatabaseServer | undefined): boolean {
  return one !== undefined && other !== undefined && withoutAccount(one) === withoutAccount(other)
}

function withoutAccount({ url }: DatabaseServer): string {
  const place = new URL(url)
  place.username = ""
  place.password = ""
  return place.href
}
