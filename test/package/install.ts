/**
 * `bun test/package/install.ts [--dist dist]`: tries the Debian packages of `bun run release` as an owner
 * does, in a fresh Debian 12 made by debootstrap: install, serve, upgrade, downgrade, remove, purge. Runs
 * lintian, and checks the contents of the arm64 package and its program under qemu-user. Needs root,
 * debootstrap and a Debian mirror, and two minutes.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import packageFile from "../../package.json" with { type: "json" }
import { exactly, is, judge, type Verdict } from "../support/verdict.ts"
import { ok, openMachine, type Ran, runHere } from "./machine.ts"
import { asVersion } from "./repack.ts"

const { values } = parseArgs({ options: { dist: { type: "string", default: "dist" } } })
const { version } = packageFile
const older = "0.0.9"
const packageOf = (architecture: string) => resolve(values.dist, `guichet_${version}_${architecture}.deb`)
for (const tool of ["debootstrap", "dpkg-deb"])
  if (!Bun.which(tool)) throw new Error(`${tool} is not installed`)
for (const deb of [packageOf("amd64"), packageOf("arm64")])
  if (!existsSync(deb)) throw new Error(`${deb} is not there: bun run release`)

const work = mkdtempSync(join(tmpdir(), "guichet-package-"))
process.on("exit", () => rmSync(work, { recursive: true, force: true }))
await using machine = await openMachine(join(work, "root"), ["ca-certificates", "adduser"])
const { as, inside } = machine
machine.add(packageOf("amd64"), "new.deb")
machine.add(await asVersion(packageOf("amd64"), version, older, work), "old.deb")
const install = (deb: string, environment = "") =>
  inside(`${environment} apt-get install -y --no-install-recommends --allow-downgrades /root/${deb}`)
const dpkgStatus = async () =>
  (await inside("dpkg-query -W -f '$" + "{db:Status-Abbrev}$" + "{Version}' guichet")).stdout

const passed = await judge([
  { name: "lintian", run: lintian },
  { name: "install", run: installation },
  { name: "serve", run: () => serving("serves after the install") },
  { name: "upgrade", run: upgrade },
  { name: "downgrade", run: downgrade },
  { name: "remove", run: removal },
  { name: "purge", run: purge },
  { name: "arm64", run: arm },
])
process.exitCode = passed ? 0 : 1

async function lintian(): Promise<Verdict[]> {
  if (!Bun.which("lintian")) return [skipped("lintian", "not installed")]
  const tags = async (deb: string) => {
    const { exitCode, stdout } = await runHere(["lintian", "--allow-root", "--fail-on", "none", deb])
    return exitCode === 0 ? (stdout.match(/^[EW]:.*/gm) ?? []) : ["lintian failed"]
  }
  const found = (await Promise.all([packageOf("amd64"), packageOf("arm64")].map(tags))).flat()
  return [{ ...exactly("lintian: errors and warnings", 0, found.length), found: found.join("; ") || "0" }]
}

async function installation(): Promise<Verdict[]> {
  const installed = await install("old.deb")
  return [
    ok("apt installs it", installed),
    ok("the account has no shell", await inside("getent passwd guichet | grep -q :/usr/sbin/nologin$")),
    ok("the data folder is the account's alone", await hasMode("/var/lib/guichet", "700 guichet:guichet")),
    ok("secrets are root's alone", await hasMode("/etc/guichet/credentials", "700 root:root")),
    ok(
      "the unit is enabled",
      await inside("test -L /etc/systemd/system/multi-user.target.wants/guichet.service"),
    ),
    ok(
      "the unit starts /usr/bin/guichet",
      await inside("grep -q ^ExecStart=/usr/bin/guichet /usr/lib/systemd/system/guichet.service"),
    ),
    ok("the manual page is there", await inside("zcat /usr/share/man/man1/guichet.1.gz | grep -q GUICHET_")),
    ok("it tells its version", await as("guichet", `guichet version | grep -q 'guichet ${version}'`)),
    ok("a project is added", await as("guichet", "guichet project add --name Guide --site https://a.fr")),
    ok(
      "settings are root's and the account's",
      await hasMode("/etc/guichet/guichet.env", "640 root:guichet"),
    ),
    ...(await commands()),
  ]
}

/** Commands as an owner types them, in a folder that the service's account cannot enter. */
async function commands(): Promise<Verdict[]> {
  await inside(`sed -i 's|^GUICHET_PUBLIC_URL=.*|GUICHET_PUBLIC_URL=https://guichet.a.fr|' /etc/guichet/guichet.env
    echo GUICHET_MODEL=gemini >> /etc/guichet/guichet.env
    umask 077 && echo the-key > /etc/guichet/credentials/gemini-api-key`)
  const verdicts = [
    ok(
      "root's command has the service's settings",
      await inside("cd && guichet setup-link | grep ^https://guichet.a.fr/"),
    ),
    ok(
      "… and its secrets, which it does not show",
      await inside("guichet config | grep -F 'GEMINI_API_KEY=********'"),
    ),
    ok(
      "… and a password on stdin",
      await inside("cd && echo long-enough-a-password | guichet operator create a@a.fr"),
    ),
    ok(
      "… and makes a backup where the nightly ones are",
      await inside("guichet backup /var/backups/guichet/one.db --with-key"),
    ),
    ok(
      "what it made is the account's",
      await inside(
        'test -z "$(find /var/lib/guichet /var/backups/guichet /var/cache/guichet ! -user guichet)"',
      ),
    ),
    ok(
      "what it cannot write to is said in a line",
      await inside("guichet backup /root/one.db 2>&1 | grep -c . | grep -qx 1"),
    ),
    ok("anybody may ask for the version", await as("nobody", "guichet version")),
    ok(
      "nobody else reads the settings",
      await as("nobody", "! cat /etc/guichet/guichet.env && ! guichet project list"),
    ),
  ]
  await inside("sed -i /GUICHET_MODEL=gemini/d /etc/guichet/guichet.env && rm /etc/guichet/credentials/*")
  const account = await as("guichet", "guichet config | grep -q ^GUICHET_PUBLIC_URL=https://guichet.a.fr")
  return [...verdicts, ok("the account's command has the settings too", account)]
}

/** Starts the service as systemd would. */
async function serving(name: string): Promise<Verdict[]> {
  const script = `
    BUN_TMPDIR=/var/cache/guichet GUICHET_PORT=3999 guichet serve 2>/tmp/log & pid=$!
    for try in $(seq 100); do
      bash -c 'exec 3<>/dev/tcp/127.0.0.1/3999 && printf "GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n" >&3 && head -1 <&3' 2>/dev/null | grep -q " 200" && break
      sleep 0.1
    done
    test $try -lt 100 && kill -TERM $pid && wait $pid`
  return [
    ok(`${name}, and stops with 0`, await as("guichet", script)),
    ok(`${name}: the project is there`, await as("guichet", "guichet project list | grep -q Guide")),
  ]
}

async function upgrade(): Promise<Verdict[]> {
  const upgraded = await install("new.deb")
  return [
    ok("apt upgrades it", upgraded),
    is("its version afterwards", `ii ${version}`, await dpkgStatus()),
    ok("the owner's settings stay", await inside("grep -q guichet.a.fr /etc/guichet/guichet.env")),
    ...(await serving("serves after the upgrade")),
  ]
}

async function downgrade(): Promise<Verdict[]> {
  const refused = await install("old.deb")
  return [
    is("apt refuses to go back", "refused", refused.exitCode === 0 ? "done" : "refused"),
    ok("it says why", await containing(refused, "was written by version")),
    is("its version afterwards", `ii ${version}`, await dpkgStatus()),
    ok("nothing is half done", await inside('test -z "$(dpkg --audit)"')),
    ok("when asked for it goes back", await install("old.deb", "GUICHET_ALLOW_DOWNGRADE=yes")),
    ok("and forward again", await install("new.deb")),
  ]
}

async function removal(): Promise<Verdict[]> {
  const removed = await inside("apt-get remove -y guichet")
  return [
    ok("apt removes it", removed),
    ok("the program is gone", await inside("! test -e /usr/bin/guichet && ! test -e /var/cache/guichet")),
    ok(
      "settings and data stay",
      await inside("test -s /etc/guichet/guichet.env -a -s /var/lib/guichet/guichet.db"),
    ),
    ok("it is installed again", await install("new.deb")),
    ...(await serving("serves after the return")),
  ]
}

async function purge(): Promise<Verdict[]> {
  const purged = await inside("apt-get purge -y guichet")
  const kept = await inside("test -s /var/lib/guichet/guichet.db && getent passwd guichet")
  const gone = await inside("! test -e /etc/guichet && ! ls /etc/systemd/system/*/guichet.service")
  await install("new.deb")
  const asked = await inside("GUICHET_PURGE_DATA=yes apt-get purge -y guichet")
  return [
    ok("apt purges it", purged),
    ok("the data and their owner stay", kept),
    ok("settings and the unit's link are gone", gone),
    ok("it is purged with the data when asked", asked),
    ok(
      "nothing of it is left",
      await inside(
        "! ls -d /var/lib/guichet /var/backups/guichet /etc/guichet /usr/share/doc/guichet && ! getent passwd guichet",
      ),
    ),
  ]
}

async function arm(): Promise<Verdict[]> {
  const folder = join(work, "arm64")
  mkdirSync(folder)
  const extracted = await runHere(["dpkg-deb", "-x", packageOf("arm64"), folder])
  const binary = join(folder, "usr/bin/guichet")
  const head = Buffer.from(await Bun.file(binary).slice(0, 20).arrayBuffer())
  const fields = await runHere(["dpkg-deb", "-f", packageOf("arm64"), "Architecture"])
  const listed = async (architecture: string) =>
    (await runHere(["dpkg-deb", "-c", packageOf(architecture)])).stdout.replace(/^.{20}\s+\d+ /gm, "")
  return [
    ok("the arm64 package unpacks", extracted),
    is("it is for", "arm64", fields.stdout),
    // e_machine of the ELF header; 183 is AArch64.
    exactly("its program is for machine", 183, head.readUInt16LE(18)),
    is(
      "it holds the same files as the other",
      "same",
      (await listed("arm64")) === (await listed("amd64")) ? "same" : "others",
    ),
    await underQemu(binary),
  ]
}

async function underQemu(binary: string): Promise<Verdict> {
  const qemu = Bun.which("qemu-aarch64-static")
  if (!qemu) return skipped("its program runs", "no qemu-aarch64-static")
  const root = join(work, "arm64-root")
  const unpack = ["debootstrap", "--arch=arm64", "--variant=minbase", "--foreign", "bookworm", root]
  await runHere(unpack)
  return is(
    "its program runs",
    `guichet ${version}`,
    (await runHere([qemu, "-L", root, binary, "version"])).stdout.split(" (")[0] ?? "",
  )
}

function hasMode(path: string, wanted: string): Promise<Ran> {
  return inside(`test "$(stat -c '%a %U:%G' ${path})" = '${wanted}'`)
}

async function containing(ran: Ran, text: string): Promise<Ran> {
  return { ...ran, exitCode: (ran.stdout + ran.stderr).includes(text) ? 0 : 1 }
}

function skipped(name: string, why: string): Verdict {
  return { name, mark: "–", found: `skipped: ${why}`, passed: true }
}
