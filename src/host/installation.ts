import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { parseSettings } from "./env-file.ts"
import { unitFile } from "./systemd/unit.ts"

type Environment = Record<string, string | undefined>

/** Where an installed service has its things; tests have theirs elsewhere. */
export interface Places {
  settings: string
  credentials: string
  dataDir: string
  cache: string
}

export const installedPlaces: Places = {
  settings: "/etc/guichet/guichet.env",
  credentials: "/etc/guichet/credentials",
  dataDir: "/var/lib/guichet",
  cache: "/var/cache/guichet",
}

/** The account that owns the data: what root writes there the service could not open afterwards. */
export interface Account {
  uid: number
  gid: number
}

/**
 * A command typed at a shell works on the installed service's data unless it is told another folder: then it
 * gets the same settings, and from root the same secrets, as systemd gives the service. What the shell itself
 * says wins.
 */
export function installedEnvironment(environment: Environment, places: Places): Environment {
  if (environment["GUICHET_DATA_DIR"]) return environment
  const settings = { ...parseSettings(contentOf(places.settings)), ...environment }
  const secrets: Environment = {}
  for (const [name, file] of credentials()) {
    if (settings[name] || settings[`${name}_FILE`]) continue
    const secret = contentOf(join(places.credentials, file)).trim()
    if (secret) secrets[name] = secret
  }
  // An empty setting is none, and the account that owns the data is to be found all the same.
  return { ...settings, ...secrets, GUICHET_DATA_DIR: settings["GUICHET_DATA_DIR"] || places.dataDir }
}

/**
 * The account that a command of root's should run as; undefined for anybody else, and where root owns the
 * data or there are none.
 */
export function accountFor(environment: Environment, uid: number | undefined): Account | undefined {
  if (uid !== 0 || !environment["GUICHET_DATA_DIR"]) return undefined
  const owner = statSync(environment["GUICHET_DATA_DIR"], { throwIfNoEntry: false })
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : undefined
}

/**
 * Runs a program as that account, on this terminal, and resolves to its exit code; undefined where the system
 * has no `setpriv`.
 */
export async function runAs(
  { uid, gid }: Account,
  command: string[],
  environment: Environment,
  places: Places,
): Promise<number | undefined> {
  const setpriv = Bun.which("setpriv", { PATH: "/usr/bin:/bin" })
  if (!setpriv) return undefined
  const as = (groups: string) => [setpriv, `--reuid=${uid}`, `--regid=${gid}`, groups]
  // An account without a name, as on a folder that a container is given, has no groups to ask for.
  const hasName = Bun.spawnSync([...as("--init-groups"), setpriv, "--version"]).success
  const hasCache = statSync(places.cache, { throwIfNoEntry: false })?.uid === uid
  const child = Bun.spawn([...as(hasName ? "--init-groups" : "--clear-groups"), ...command], {
    env: hasCache ? { BUN_TMPDIR: places.cache, ...environment } : environment,
    stdio: ["inherit", "inherit", "inherit"],
  })
  // Ctrl-C reaches the child from the terminal.
  process.on("SIGINT", () => {})
  process.on("SIGTERM", () => child.kill("SIGTERM"))
  return child.exited
}

/** The secrets of the unit: the variable of each, and its file. */
function credentials(): [name: string, file: string][] {
  const lines = unitFile("").matchAll(/^Environment=(\w+)_FILE=%d\/(.+)$/gm)
  return [...lines].map(([, name = "", file = ""]) => [name, file])
}

/** Empty when it is not there, or not for this account to read. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
