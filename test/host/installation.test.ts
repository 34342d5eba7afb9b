import { afterEach, beforeEach, expect, test } from "bun:test"
import { chownSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { settings } from "../../src/config/settings.ts"
import { accountFor, type InstalledPaths, installedEnvironment, runAs } from "../../src/host/installation.ts"
import { type TemporaryFolder, temporaryFolder } from "../support/service.ts"

// test/package/install.ts tries the compiled program at its real paths.

let folder: TemporaryFolder
let paths: InstalledPaths
beforeEach(() => {
  folder = temporaryFolder()
  const at = (name: string) => join(folder.path, name)
  paths = {
    settings: at("guichet.env"),
    credentials: at("credentials"),
    dataDir: at("data"),
    cache: at("cache"),
  }
  mkdirSync(paths.credentials)
  writeFileSync(paths.settings, "GUICHET_PUBLIC_URL=https://guichet.exemple.fr\nGUICHET_MODEL=gemini\n")
})
afterEach(() => folder[Symbol.dispose]())

const credential = (name: string, text: string) => writeFileSync(join(paths.credentials, name), text)
const isRoot = process.getuid?.() === 0
const nobody = 65_534

test("a command has the settings and the secrets of the installed service", () => {
  credential("gemini-api-key", "key\n")
  credential("smtp-url", "\n")
  expect(installedEnvironment({ TERM: "xterm" }, paths)).toEqual({
    TERM: "xterm",
    GUICHET_DATA_DIR: paths.dataDir,
    GUICHET_PUBLIC_URL: "https://guichet.exemple.fr",
    GUICHET_MODEL: "gemini",
    GEMINI_API_KEY: "key",
  })
})

test("an empty data folder, in the settings or the shell, is the installed service's", () => {
  writeFileSync(paths.settings, "GUICHET_DATA_DIR=\n")
  expect(installedEnvironment({}, paths)["GUICHET_DATA_DIR"]).toBe(paths.dataDir)
  expect(installedEnvironment({ GUICHET_DATA_DIR: "" }, paths)["GUICHET_DATA_DIR"]).toBe(paths.dataDir)
})

test("every secret is handed over that has a file", () => {
  const secrets = Object.values(settings).filter((setting) => "secret" in setting)
  for (const { name } of secrets)
    credential(name.replace("GUICHET_", "").replaceAll("_", "-").toLowerCase(), name)
  const given = installedEnvironment({}, paths)
  expect(secrets.map(({ name }) => given[name])).toEqual(secrets.map(({ name }) => name))
})

test("what the shell says wins, and a secret that the settings name is not given twice", () => {
  credential("gemini-api-key", "key")
  const shell = { GUICHET_MODEL: "extractive", GEMINI_API_KEY_FILE: "/elsewhere" }
  const given = installedEnvironment(shell, paths)
  expect(given).toMatchObject(shell)
  expect(given["GEMINI_API_KEY"]).toBeUndefined()
})

test("another data folder has nothing to do with the installed service", () => {
  const shell = { GUICHET_DATA_DIR: "/elsewhere" }
  expect(installedEnvironment(shell, paths)).toEqual(shell)
})

test("where nothing is installed, or nothing may be read, the data folder alone is told", () => {
  const nowhere = { ...paths, settings: join(folder.path, "none"), credentials: join(folder.path, "none") }
  expect(installedEnvironment({}, nowhere)).toEqual({ GUICHET_DATA_DIR: paths.dataDir })
})

test.skipIf(!isRoot)(
  "root's command runs as the account that owns the data, and ends as it ends",
  async () => {
    const environment = { GUICHET_DATA_DIR: paths.dataDir, PATH: process.env["PATH"] }
    expect(accountFor(environment, 0)).toBeUndefined()
    mkdirSync(paths.dataDir)
    expect(accountFor(environment, 0)).toBeUndefined()
    chownSync(paths.dataDir, nobody, nobody)
    expect(accountFor(environment, 1000)).toBeUndefined()
    const account = accountFor(environment, 0)
    expect(account).toEqual({ uid: nobody, gid: nobody })
    if (!account || !Bun.which("setpriv")) return
    const script = `test "$(id -u)" = ${nobody} && touch "$GUICHET_DATA_DIR/made" && exit 7`
    Bun.spawnSync(["chmod", "755", folder.path])
    expect(await runAs(account, ["sh", "-c", script], environment, paths)).toBe(7)
    expect((await Bun.file(join(paths.dataDir, "made")).stat()).uid).toBe(nobody)
  },
)

test.skipIf(!isRoot || !Bun.which("setpriv"))(
  "a data folder may belong to an account that has no name on this machine",
  async () => {
    const [uid, gid] = [54_321, 54_322]
    const script = `test "$(id -u):$(id -G)" = "${uid}:${gid}" && exit 7`
    expect(await runAs({ uid, gid }, ["sh", "-c", script], process.env, paths)).toBe(7)
  },
)
