import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { Environment } from "../config/parse.ts"
import { parseSettings } from "./env-file.ts"
import { unitFile } from "./systemd/unit.ts"

/** Files and folders of an installed service. Tests have their own. */
export interface InstalledPaths {
  settings: string
  credentials: string
  dataDir: string
  cache: string
}

export const installedPaths: InstalledPaths = {
  settings: "/etc/guichet/guichet.env",
  credentials: "/etc/guichet/credentials",
  dataDir: "/var/lib/guichet",
  cache: "/var/cache/guichet",
}

/** The account that owns the data. The service could not open files that root writes there. */
export interface Account {
  uid: number
  gid: number
}

/**
 * The environment of a command typed at a shell. Unless it names another data folder, the command works on
 * the installed service's data: it gets the settings that systemd gives the service, and if root runs it, the
 * secrets. Variables of the shell win over both.
 */
export function installedEnvironment(environment: Environment, paths: InstalledPaths): Environment {
  if (environment["GUICHET_DATA_DIR"]) return environment
  const settings = { ...parseSettings(readIfThere(paths.settings)), ...environment }
  const secrets: Environment = {}
  for (const [name, file] of credentials()) {
    if (settings[name] || settings[`${name}_FILE`]) continue
    const secret = readIfThere(join(paths.credentials, file)).trim()
    if (secret) secrets[name] = secret
  }
  // An empty setting counts as absent, and `accountFor` needs the folder to find its owner.
  return { ...settings, ...secrets, GUICHET_DATA_DIR: settings["GUICHET_DATA_DIR"] || paths.dataDir }
}

/**
 * The account that a command should run as when root typed it. Undefined for another user, where root owns the
 * data folder, and without a data folder.
 */
export function accountFor(environment: Environment, uid: number | undefined): Account | undefined {
  if (uid !== 0 || !environment["GUICHET_DATA_DIR"]) return undefined
  const owner = statSync(environment["GUICHET_DATA_DIR"], { throwIfNoEntry: false })
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : undefined
}

/**
 * Runs a program as another account, on this terminal. Resolves to its exit code; undefined where the system
 * has no `setpriv`.
 */
export async function runAs(
  { uid, gid }: Account,
  command: string[],
  environment: Environment,
  paths: InstalledPaths,
): Promise<number | undefined> {
  const setpriv = Bun.which("setpriv", { PATH: "/usr/bin:/bin" })
  if (!setpriv) return undefined
  const as = (groups: string) => [setpriv, `--reuid=${uid}`, `--regid=${gid}`, groups]
  // `setpriv --init-groups` fails for a uid without a name, such as the owner of a folder mounted into a
  // container.
  const hasName = Bun.spawnSync([...as("--init-groups"), setpriv, "--version"]).success
  const hasCache = statSync(paths.cache, { throwIfNoEntry: false })?.uid === uid
  const child = Bun.spawn([...as(hasName ? "--init-groups" : "--clear-groups"), ...command], {
    env: hasCache ? { BUN_TMPDIR: paths.cache, ...environment } : environment,
    stdio: ["inherit", "inherit", "inherit"],
  })
  // Ctrl-C at the terminal reaches the child without us.
  process.on("SIGINT", () => {})
  process.on("SIGTERM", () => child.kill("SIGTERM"))
  return child.exited
}

/** The secrets that the systemd unit loads: variable and file of each. */
function credentials(): [name: string, file: string][] {
  const lines = unitFile("").matchAll(/^Environment=(\w+)_FILE=%d\/(.+)$/gm)
  return [...lines].map(([, name = "", file = ""]) => [name, file])
}

/** Empty when the file does not exist, or this account may not read it. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}
