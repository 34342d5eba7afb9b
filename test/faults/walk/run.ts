/**
 * `bun test/faults/walk/run.ts [--deb FILE] [--mirror URL]`: the walk of an administrator through the documentation. debootstrap
 * makes a Debian 12, which is booted with its systemd in namespaces of this machine; there the package of `bun run release` is
 * installed, put behind HAProxy, guessed at, left without backups, reloaded, moved to PostgreSQL, cut from its power and purged.
 * Prints what was observed at each step; exit 1 when a mark is missed. Needs root, debootstrap, cgroup2 and five minutes. The
 * mirror is that of this machine's apt, unless it is named. Limits of memory and tasks are in force only where cgroup2 has these
 * controllers, and the power that is cut is that of the processes: what the disk itself loses is not tried.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import packageFile from "../../../package.json" with { type: "json" }
import { ok } from "../../package/machine.ts"
import { atMost, exactly, is, judge, type Verdict } from "../../support/verdict.ts"
import { addresses, eventually, host, mirrorOfThisMachine, openWalkedMachine } from "./machine.ts"

const { values } = parseArgs({
  options: {
    deb: { type: "string", default: `dist/guichet_${packageFile.version}_amd64.deb` },
    mirror: { type: "string" },
  },
})
const deb = resolve(values.deb)
/** Bytes of the package that was made, by the same command, of the version before all of this (328ab93f). */
const largestPackage = 168_536_272
const largestExposure = 1.1
const site = "https://docs.exemple.fr"
const token = "a-token-of-sixteen-characters"

const work = mkdtempSync(join(tmpdir(), "guichet-walk-"))
process.on("exit", () => rmSync(work, { recursive: true, force: true }))
await using machine = await openWalkedMachine(
  join(work, "root"),
  values.mirror ?? (await mirrorOfThisMachine()),
)
const { documented, inside, visit } = machine
let project = ""
let form = ""
let acknowledged = 0

const passed = await judge([
  { name: "install", run: install },
  { name: "first steps", run: firstSteps },
  { name: "probes of HAProxy", run: probes },
  { name: "a guesser is banned", run: ban },
  { name: "a missing backup is alerted", run: missingBackup },
  { name: "restore drill", run: restoreDrill },
  { name: "reload", run: reload },
  { name: "move to PostgreSQL", run: move },
  { name: "power cut, PostgreSQL later", run: powerCut },
  { name: "restore drill of PostgreSQL", run: drillOfPostgres },
  { name: "purge", run: purge },
])
process.exitCode = passed ? 0 : 1

async function install(): Promise<Verdict[]> {
  machine.add(deb, "guichet.deb")
  await machine.plugIn()
  const installed = await inside("apt-get install -y --no-install-recommends /root/guichet.deb")
  const { stdout: judged } = await inside("systemd-analyze security --no-pager guichet")
  const exposure = Number(/exposure level for guichet\.service: ([\d.]+)/.exec(judged)?.[1] ?? Number.NaN)
  const pages = [...new Bun.Glob("**").scanSync(join(import.meta.dir, "../../../data/operate"))]
  const missing = await inside(`cd /usr/share/doc/guichet && ls ${pages.join(" ")} > /dev/null`)
  return [
    ok("apt installs the package", installed),
    is("the unit", "active", (await inside("systemctl is-active guichet")).stdout),
    is("… at the next boot too", "enabled", (await inside("systemctl is-enabled guichet")).stdout),
    is("/readyz", "ok", (await becomesReady()) ? "ok" : "no"),
    atMost("exposure, by systemd-analyze security", largestExposure, exposure),
    atMost("size of the package, not above what it was", largestPackage, statSync(deb).size, " B"),
    ok(`${pages.length} files of documentation are in /usr/share/doc/guichet`, missing),
  ]
}

async function firstSteps(): Promise<Verdict[]> {
  await inside(`sed -i 's|^GUICHET_PUBLIC_URL=.*|GUICHET_PUBLIC_URL=https://${host}|' /etc/guichet/guichet.env
    echo ${token} | install -m 400 /dev/stdin /etc/guichet/credentials/metrics-token; systemctl restart guichet`)
  const link = await inside("guichet setup-link")
  const account = await inside("echo long-enough-a-password | guichet operator create owner@example.fr")
  project = (await inside(`guichet project add --name Guide --site ${site}`)).stdout.trim()
  const bearer = (await inside("guichet token create")).stdout.trim()
  await inside(
    "install -d -m 755 /srv/docs && printf '# Exporter\\n\\nL’export CSV s’ouvre dans Excel.\\n' > /srv/docs/export.md",
  )
  const indexed = await inside(`guichet index ${project} --dir /srv/docs --base-url ${site}`)
  const fields = [{ name: "texte", label: "Texte", type: "text" }]
  const made = await inside(`curl -s localhost:3000/api/v1/forms -H 'Authorization: Bearer ${bearer}' \
    -H 'Content-Type: application/json' -d '${JSON.stringify({ project, name: "Contact", fields })}'`)
  form = (JSON.parse(made.stdout || "{}") as { public_id?: string }).public_id ?? ""
  return [
    is("the setup link leads to", `https://${host}`, new URL(link.stdout.trim()).origin),
    ok("an operator is made", account),
    ok("a documentation is read", indexed),
    is("a form post through the service", "yes", (await post()) ? "yes" : "no"),
  ]
}

async function probes(): Promise<Verdict[]> {
  await inside(`openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 9 -subj /CN=${host} \
    -keyout /etc/haproxy/key -out /etc/haproxy/certificate && cat /etc/haproxy/certificate /etc/haproxy/key > /etc/haproxy/guichet.pem
    cat /usr/share/doc/guichet/proxies/haproxy.cfg >> /etc/haproxy/haproxy.cfg`)
  const reloaded = await inside("haproxy -c -f /etc/haproxy/haproxy.cfg && systemctl reload haproxy")
  const up = await eventually(async () => (await stateInHaproxy()).startsWith("UP"))
  const before = await visit("/console/sign-in")
  await inside("systemctl stop guichet")
  const down = await eventually(async () => (await stateInHaproxy()).startsWith("DOWN"))
  const away = await visit("/console/sign-in")
  await inside("systemctl start guichet")
  const again = await eventually(async () => (await stateInHaproxy()).startsWith("UP"))
  return [
    ok("HAProxy takes the example of the documentation", reloaded),
    is("its probe finds the service", "UP", up ? "UP" : await stateInHaproxy()),
    exactly("a visitor's page through HAProxy", 200, before),
    is("its probe after systemctl stop", "DOWN", down ? "DOWN" : await stateInHaproxy()),
    exactly("a visitor's page then", 503, away),
    is("its probe after systemctl start", "UP", again ? "UP" : await stateInHaproxy()),
    exactly("a visitor's page then", 200, await visit("/console/sign-in")),
  ]
}

async function ban(): Promise<Verdict[]> {
  const set = await documented("security.md", "Guesses are banned")
  const guesses: number[] = []
  for (let guess = 0; guess < 10; guess++) guesses.push(await signIn(`a-wrong-guess-${guess}`))
  const banned = await eventually(async () =>
    (await inside("fail2ban-client status guichet")).stdout.includes(addresses.guesser),
  )
  const shutOut = await eventually(async () => (await visit("/console/sign-in", addresses.guesser)) === 0)
  const { stdout: log } = await inside("journalctl -u guichet -o cat")
  return [
    ok("the commands of the documentation", set),
    is("fail2ban", "active", (await inside("systemctl is-active fail2ban")).stdout),
    is(
      "ten wrong passwords are refused",
      "yes",
      guesses.every((status) => status === 401 || status === 429) ? "yes" : guesses.join(" "),
    ),
    exactly(
      "lines with the guesser's address",
      10,
      [...log.matchAll(new RegExp(`sign-in failed.*"${addresses.guesser}"`, "g"))].length,
    ),
    is("a guess in the log", "no", log.includes("a-wrong-guess") ? "yes" : "no"),
    is("the guesser is banned", "yes", banned ? "yes" : "no"),
    is("the guesser's next request", "refused", shutOut ? "refused" : "answered"),
    exactly("another visitor's", 200, await visit("/console/sign-in")),
  ]
}

async function missingBackup(): Promise<Verdict[]> {
  const made = await eventually(
    async () => (await inside("ls /var/backups/guichet/guichet-*Z.db")).exitCode === 0,
  )
  await inside(
    "rm /var/backups/guichet/*; guichet backup /var/backups/guichet/$(date -u -d '3 days ago' +guichet-%Y%m%dT%H%M%SZ).db",
  )
  const row = async () => /^(\w+) +backup: (.*)$/m.exec((await inside("guichet check")).stdout)
  const [, late = ""] = (await row()) ?? []
  // The rules wait for an hour before they alert; this walk does not.
  await inside(`sed 's/for: .*/for: 1s/' /usr/share/doc/guichet/alerts.yml > /etc/prometheus/guichet.yml
    echo ${token} > /etc/prometheus/token; cat > /etc/prometheus/prometheus.yml <<'END'
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [guichet.yml]
scrape_configs:
  - job_name: guichet
    authorization: { credentials_file: /etc/prometheus/token }
    static_configs: [{ targets: ["127.0.0.1:3000"] }]
END
    systemctl restart prometheus`)
  const alerts = async () => (await inside("curl -s localhost:9090/api/v1/alerts")).stdout
  const firing = /"alertname":"GuichetBackupMissing"[^}]*\}[^}]*\}?,"state":"firing"/
  const alerted = await eventually(async () => firing.test(await alerts()))
  await inside("guichet backup /var/backups/guichet/$(date -u +guichet-%Y%m%dT%H%M%SZ).db")
  const quiet = await eventually(async () => !(await alerts()).includes("GuichetBackupMissing"))
  const [, now = ""] = (await row()) ?? []
  return [
    is("the first backup is made by itself", "yes", made ? "yes" : "no"),
    is("the row of guichet check, three days later", "failed", late),
    is("Prometheus alerts by the rules of the documentation", "firing", alerted ? "firing" : await alerts()),
    is("… until there is one", "quiet", quiet ? "quiet" : await alerts()),
    is("the row of guichet check then", "ok", now),
  ]
}

async function restoreDrill(): Promise<Verdict[]> {
  await inside(
    "cp /var/backups/guichet/guichet-*Z.db* /var/lib/guichet/secret.key /root/; tar -C /etc -czf /root/etc-guichet.tar.gz guichet",
  )
  await inside(`cp /root/guichet.deb /root/guichet_${packageFile.version}_amd64.deb`)
  const trial = await documented("recovery.md", "SQLite", 0)
  await inside(
    "systemctl stop guichet; find /var/lib/guichet /var/backups/guichet /etc/guichet -mindepth 1 -delete",
  )
  const drill = await documented("recovery.md", "SQLite", 1)
  const ask = () => inside(`guichet ask ${project} 'L’export CSV s’ouvre-t-il dans Excel ?'`)
  const answered = await eventually(async () => (await ask()).stdout.includes("Excel"))
  return [
    ok("the newest backup on trial", trial),
    is(
      "everything is lost; the commands of the documentation: the project",
      project,
      drill.stdout.trim().split("\n").at(-1)?.split(" ")[0] ?? "",
    ),
    is("the database's row", "ok", /^(\w+) +database:/m.exec(drill.stdout)?.[1] ?? ""),
    is("a question is answered", "yes", answered ? "yes" : (await ask()).stderr),
  ]
}

async function reload(): Promise<Verdict[]> {
  const [live, other] = [token, "another-token-of-the-same-length"]
  const write = (value: string) =>
    inside(`echo ${value} | install -o root -g guichet -m 640 /dev/stdin /etc/guichet/live/metrics-token`)
  const opens = async (value: string) =>
    (
      await inside(
        `curl -s -o /dev/null -w '%{http_code}' -H 'Authorization: Bearer ${value}' localhost:3000/metrics`,
      )
    ).stdout === "200"
  await inside(`install -d -o root -g guichet -m 750 /etc/guichet/live; mkdir -p /etc/systemd/system/guichet.service.d
    printf '[Service]\nEnvironment=GUICHET_METRICS_TOKEN_FILE=/etc/guichet/live/metrics-token\n' > /etc/systemd/system/guichet.service.d/live.conf
    systemctl daemon-reload`)
  await write(live)
  await inside("systemctl restart guichet")
  const first = await eventually(() => opens(live))
  const before = await property("MainPID")
  await write(other)
  const reloaded = await inside("systemctl reload guichet")
  const taken = await eventually(() => opens(other))
  await write("short")
  await inside("systemctl reload guichet")
  const refused = await eventually(async () =>
    (await inside("journalctl -u guichet -p err -o cat")).stdout.includes("METRICS_TOKEN"),
  )
  const kept = await opens(other)
  await write(other)
  return [
    is("a secret of a file that the service reads itself", "taken", first ? "taken" : "no"),
    ok("another one there, systemctl reload", reloaded),
    is("the other", "taken", taken ? "taken" : "no"),
    is("the one before", "refused", (await opens(live)) ? "taken" : "refused"),
    is("a bad one is an error in the log", "yes", refused ? "yes" : "no"),
    is("… and the one before it", "taken", kept ? "taken" : "no"),
    is("the process is the same", before, await property("MainPID")),
  ]
}

async function move(): Promise<Verdict[]> {
  await inside(`runuser -u postgres -- psql -qc "CREATE ROLE guichet LOGIN PASSWORD 'walked'" \
    -c "CREATE DATABASE guichet OWNER guichet ENCODING 'UTF8' TEMPLATE template0"
    echo 'postgres://guichet:walked@127.0.0.1:5432/guichet?sslmode=disable' > /root/address; systemctl stop guichet`)
  const moved = await inside("guichet move --to - < /root/address")
  await inside(`install -m 0400 /root/address /etc/guichet/credentials/database-url
    install -m 0400 /var/lib/guichet/secret.key /etc/guichet/credentials/secret-key; systemctl start guichet`)
  const ready = await becomesReady()
  const list = await inside("guichet project list")
  return [
    ok("guichet move", moved),
    is("/readyz on PostgreSQL", "ok", ready ? "ok" : "no"),
    is("the project", project, list.stdout.split(" ")[0] ?? ""),
  ]
}

async function powerCut(): Promise<Verdict[]> {
  for (let count = 0; count < 20; count++) await post()
  await inside("systemctl disable postgresql; sync")
  const startedAt = performance.now()
  await machine.cutPower()
  await machine.plugIn()
  await Bun.sleep(25_000)
  const state = await property("ActiveState")
  const restarts = Number(await property("NRestarts"))
  const healthy = (await inside("curl -s localhost:3000/healthz")).stdout
  const { stdout: waits } = await inside("curl -s -w ' (%{http_code})' localhost:3000/readyz")
  const { stdout: warned } = await inside("journalctl -b -u guichet -p warning -o cat")
  const proxied = await stateInHaproxy()
  const waitedMs = performance.now() - startedAt
  await inside("systemctl start postgresql")
  const back = performance.now()
  const ready = await becomesReady()
  const readyMs = performance.now() - back
  const stored = await inside(
    "runuser -u postgres -- psql -At guichet -c 'SELECT count(*) FROM form_response'",
  )
  const up = await eventually(async () => (await visit("/console/sign-in")) === 200)
  return [
    is(
      `25 s after the boot (${Math.round(waitedMs / 1000)} s after the cut), without PostgreSQL`,
      "active",
      state,
    ),
    exactly("… started again", 0, restarts),
    is("/healthz meanwhile", "ok", healthy),
    is("/readyz meanwhile says why, with 503", "yes", /\S.* \(503\)$/s.test(waits) ? "yes" : waits),
    is("warnings in the journal: the service waits, once", "once", told(warned)),
    is("HAProxy meanwhile", "DOWN", proxied.split(" ")[0] ?? ""),
    atMost("PostgreSQL is started: until ready", 5000, ready ? readyMs : Number.POSITIVE_INFINITY, " ms"),
    exactly(`form posts stored, of ${acknowledged} acknowledged`, acknowledged, Number(stored.stdout)),
    is("a visitor's page", "200", up ? "200" : String(await visit("/console/sign-in"))),
  ]
}

/** How often the service said that it waits; the lines, when that is not once. */
function told(warnings: string): string {
  const lines = warnings.trim().split("\n")
  return lines.filter((line) => line.includes("the service waits for what it needs")).length === 1
    ? "once"
    : warnings
}

async function drillOfPostgres(): Promise<Verdict[]> {
  const dumped = await documented("recovery.md", "PostgreSQL", 0)
  const drill = await documented("recovery.md", "PostgreSQL", 1)
  const restored = await documented("recovery.md", "PostgreSQL", 2)
  const rowOf = (text: string) => /^(\w+) +database:/m.exec(text)?.[1] ?? text
  return [
    ok("the dump", dumped),
    is("the drill beside it: the database's row", "ok", rowOf(drill.stdout)),
    is("… the project", "yes", drill.stdout.includes(project) ? "yes" : drill.stdout + drill.stderr),
    is("restored for good: the database's row", "ok", rowOf(restored.stdout)),
  ]
}

async function purge(): Promise<Verdict[]> {
  const purged = await inside("apt-get purge -y guichet")
  const kept = await inside("test -d /var/lib/guichet && getent passwd guichet")
  await inside("apt-get install -y --no-install-recommends /root/guichet.deb")
  const asked = await inside("GUICHET_PURGE_DATA=yes apt-get purge -y guichet")
  const places =
    "/usr/bin/guichet /var/lib/guichet /var/backups/guichet /var/cache/guichet /etc/guichet /usr/share/doc/guichet"
  return [
    ok("apt purges it", purged),
    ok("data and account stay", kept),
    ok("it is purged with the data when asked", asked),
    ok(
      "nothing of it is left",
      await inside(`! ls -d ${places} && ! getent passwd guichet && ! systemctl cat guichet`),
    ),
  ]
}

function becomesReady(): Promise<boolean> {
  return eventually(async () => (await inside("curl -s localhost:3000/readyz")).stdout === "ok\n")
}

async function property(name: string): Promise<string> {
  return (await inside(`systemctl show -P ${name} guichet`)).stdout.trim()
}

/** What HAProxy makes of its probes. */
async function stateInHaproxy(): Promise<string> {
  const ask =
    "import socket;s=socket.socket(socket.AF_UNIX);s.connect('/run/haproxy/admin.sock');s.send(b'show stat\\n');print(s.makefile().read())"
  const { stdout } = await inside(`python3 -c "${ask}"`)
  const [columns = "", ...rows] = stdout.split("\n")
  const at = columns.split(",").indexOf("status")
  return rows.find((row) => row.startsWith("guichet,node1,"))?.split(",")[at] ?? stdout
}

function signIn(password: string): Promise<number> {
  const form = `--data-urlencode email=owner@example.fr --data-urlencode password=${password}`
  return visit("/console/sign-in", addresses.guesser, `-H 'Origin: https://${host}' ${form}`)
}

async function post(): Promise<boolean> {
  const body = JSON.stringify({ texte: "bonjour" })
  const { stdout } =
    await inside(`curl -s -o /dev/null -w '%{http_code}' localhost:3000/f/${form} -H 'Origin: ${site}' \
    -H 'Content-Type: application/json' -d '${body}'`)
  if (stdout !== "201") return false
  acknowledged++
  return true
}
