/**
 * `bun test/package/systemd.ts [--dist dist]`: runs the Debian package under a real systemd, which
 * starts, watches, hardens, stops and restarts it while it answers questions, reads documents, takes form
 * posts, delivers them and makes backups. debootstrap makes a fresh Debian 12, which is booted in namespaces
 * of this machine. Needs root, debootstrap, a Debian mirror and cgroup2, and two minutes. Limits of memory and
 * tasks are in force only where cgroup2 has these controllers.
 */

import { Database } from "bun:sqlite"
import { copyFileSync, cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import packageFile from "../../package.json" with { type: "json" }
import { openAuthority } from "../support/authority.ts"
import { manyPosts } from "../support/many-posts.ts"
import { freePort } from "../support/port.ts"
import { settingsFor, startReceiver } from "../support/receiver.ts"
import { atLeast, atMost, exactly, is, judge, type Verdict } from "../support/verdict.ts"
import { openBootedMachine } from "./booted-machine.ts"

const { values } = parseArgs({ options: { dist: { type: "string", default: "dist" } } })
const site = "https://docs.exemple.fr"
const metricsToken = "a-token-of-sixteen-characters"
const url = `http://127.0.0.1:${await freePort()}`

const work = mkdtempSync(join(tmpdir(), "guichet-systemd-"))
process.on("exit", () => rmSync(work, { recursive: true, force: true }))
using authority = openAuthority()
/** Received messages, and whether each was accepted: a tenth is refused at the first attempt. */
const messages = new Map<string, boolean>()
await using receiver = await startReceiver(authority, "hooks.acme.fr", async ({ headers }, number) => {
  await Bun.sleep(20)
  const id = headers.get("webhook-id") ?? ""
  const accepted = messages.has(id) || number % 10 !== 0
  messages.set(id, accepted)
  return new Response("", { status: accepted ? 200 : 503 })
})
await using machine = await openBootedMachine(join(work, "root"), ["ca-certificates", "adduser"])
const { inside, root } = machine
let project = ""
let form = ""
let token = ""
let acknowledged = 0

const passed = await judge([
  { name: "start", run: start },
  { name: "hardening", run: hardening },
  { name: "work", run: workInside },
  { name: "reload", run: reload },
  { name: "watchdog", run: watchdog },
  { name: "kill", run: kill },
  { name: "restart under load", run: restarts },
  { name: "stop", run: stop },
  { name: "bad setting", run: badSetting },
])
process.exitCode = passed ? 0 : 1

async function start(): Promise<Verdict[]> {
  machine.add(resolve(values.dist, `guichet_${packageFile.version}_amd64.deb`), "guichet.deb")
  const installed = await inside("apt-get install -y --no-install-recommends /root/guichet.deb")
  const afterInstall = await state("ActiveState")
  const backup = await eventually(
    async () => (await inside("ls /var/backups/guichet/guichet-*Z.db")).exitCode === 0,
  )
  copyFileSync(authority.caFile, join(root, "etc/guichet/ca.pem"))
  cpSync(resolve(import.meta.dir, "../../data/demo"), join(root, "srv/docs"), { recursive: true })
  const { GUICHET_WEBHOOK_RESOLVE } = settingsFor(authority, receiver)
  const lines = [
    `GUICHET_PORT=${new URL(url).port}`,
    ...Object.entries(manyPosts).map(([name, value]) => `${name}=${value}`),
    `GUICHET_WEBHOOK_RESOLVE=${GUICHET_WEBHOOK_RESOLVE}`,
    "GUICHET_WEBHOOK_CA_FILE=/etc/guichet/ca.pem",
  ]
  await inside(`chmod 644 /etc/guichet/ca.pem && chmod -R a+rX /srv/docs
    printf '%s\\n' ${lines.map((line) => `'${line}'`).join(" ")} >> /etc/guichet/guichet.env
    umask 077 && echo ${metricsToken} > /etc/guichet/credentials/metrics-token`)
  const startedAt = performance.now()
  await inside("systemctl restart guichet")
  return [
    ...(installed.exitCode === 0 ? [] : [is("installed", "0", installed.stderr.slice(-300))]),
    is("active after the install", "active", afterInstall),
    is("its first backup, by a child of its own", "yes", backup ? "yes" : "no"),
    // With Type=notify the unit is active only after READY=1.
    is("active after a restart", "active", await state("ActiveState")),
    exactly("/readyz as soon as systemctl returns", 200, await status("/readyz")),
    atMost("restart to ready", 5000, performance.now() - startedAt, " ms"),
    exactly("/metrics with the token of its credential", 200, await status("/metrics", metricsToken)),
  ]
}

async function hardening(): Promise<Verdict[]> {
  const pid = await state("MainPID")
  const { stdout: kernel } = await inside(`cat /proc/${pid}/status`)
  const { stdout: mounts } = await inside(`cat /proc/${pid}/mountinfo`)
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, "m").exec(kernel)?.[1] ?? ""
  const readOnly = /^\S+ \S+ \S+ \S+ \/ ro[, ]/m.test(mounts)
  return [
    is("runs as", "guichet", (await inside(`stat -c %U /proc/${pid}`)).stdout),
    is("its capabilities", "0000000000000000", field("CapEff")),
    is("… and those it could ever get", "0000000000000000", field("CapBnd")),
    is("no new privileges", "1", field("NoNewPrivs")),
    is("its system calls are filtered", "2", field("Seccomp")),
    is("the file system is read-only to it", "yes", readOnly ? "yes" : "no"),
  ]
}

/** Exercises everything that the hardening could have taken away: threads, children, sockets, files. */
async function workInside(): Promise<Verdict[]> {
  project = (await inside(`guichet project add --name Guide --site ${site}`)).stdout.trim()
  token = (await inside("guichet token create")).stdout.trim()
  const feed = { kind: "dir", dir: "/srv/docs", base_url: site }
  const indexed = await inside(`guichet index ${project} --dir /srv/docs --base-url ${site} --json`)
  const fields = [{ name: "texte", label: "Texte", type: "text" }]
  form = (await api("/api/v1/forms", { project, name: "Contact", fields })).public_id
  await api("/api/v1/endpoints", { url: "https://hooks.acme.fr/hook" })
  await api(`/api/v1/projects/${project}/index-runs`, { force: true })
  const question = { project, question: "Comment vérifier la signature d’un webhook ?" }
  const answered = await reply("/api/v1/ask", question)
  const posts = await Promise.all(Array.from({ length: 20 }, post))
  const deliveredMs = await delivered()
  const run = await eventually(
    async () => (await api(`/api/v1/projects/${project}/index-runs`)).items[0]?.state !== "running",
  )
  const runs = await api(`/api/v1/projects/${project}/index-runs`)
  return [
    atLeast("documents that a command indexes", 10, JSON.parse(indexed.stdout || "{}").documents ?? 0),
    is(`a question (of ${feed.dir})`, "answered", (await answered.json()).status),
    exactly("form posts acknowledged, of 20", 20, posts.filter(Boolean).length),
    atMost("until all are delivered", 15_000, deliveredMs, " ms"),
    is(
      "the documents read again by a child of the service",
      "yes",
      run ? "yes" : `no: ${JSON.stringify(runs)}`,
    ),
    is("what the log calls an error", "", await logged('"level":"ERROR"')),
  ]
}

async function reload(): Promise<Verdict[]> {
  const before = await state("MainPID")
  const reloaded = await inside("systemctl reload guichet")
  await eventually(async () => (await state("ActiveState")) === "active")
  return [
    exactly("systemctl reload: its exit code", 0, reloaded.exitCode),
    is("… the same process goes on", before, await state("MainPID")),
    is("… and says what it did", "yes", (await logged("settings read again")) ? "yes" : "no"),
  ]
}

/** Sends SIGSTOP, which blocks the event loop: systemd ends the service and starts it again. */
async function watchdog(): Promise<Verdict[]> {
  await inside(`mkdir -p /run/systemd/system/guichet.service.d
    printf '[Service]\\nWatchdogSec=2s\\nTimeoutStopSec=3s\\n' > /run/systemd/system/guichet.service.d/trial.conf
    systemctl daemon-reload && systemctl restart guichet`)
  await Bun.sleep(5000)
  const quiet = await state("NRestarts")
  const before = await state("MainPID")
  await inside(`kill -STOP ${before}`)
  const again = await eventually(
    async () => (await state("NRestarts")) === "1" && (await status("/readyz")) === 200,
  )
  await inside(
    "rm -r /run/systemd/system/guichet.service.d; systemctl daemon-reload; systemctl restart guichet",
  )
  return [
    is("restarts while it lives, in 5 s with a watchdog of 2 s", "0", quiet),
    is("started again when it hangs", "yes", again ? "yes" : "no"),
    is(
      "the watchdog's doing",
      "yes",
      (await inside("journalctl -u guichet | grep -qi watchdog")).exitCode === 0 ? "yes" : "no",
    ),
  ]
}

async function kill(): Promise<Verdict[]> {
  const startedAt = performance.now()
  await inside("systemctl kill -s KILL guichet")
  await eventually(async () => (await status("/readyz")) === 200)
  return [
    atMost(
      "killed with -9: back by itself, after the 5 s of RestartSec",
      12_000,
      performance.now() - startedAt,
      " ms",
    ),
  ]
}

async function restarts(): Promise<Verdict[]> {
  const times = 5
  let over = false
  let refused = 0
  const posters = Array.from({ length: 8 }, async () => {
    while (!over) {
      if (!(await post())) refused++
      await Bun.sleep(5)
    }
  })
  const took: number[] = []
  for (let count = 0; count < times; count++) {
    await Bun.sleep(1500)
    const startedAt = performance.now()
    await inside("systemctl restart guichet")
    took.push(performance.now() - startedAt)
  }
  await Bun.sleep(500)
  over = true
  await Promise.all(posters)
  const deliveredMs = await delivered()
  return [
    atLeast("posts acknowledged under five restarts", 100, acknowledged),
    atLeast("… tried again by the visitor while it was away", 1, refused),
    atMost("longest restart under load", 15_000, Math.max(...took), " ms"),
    atMost("until every acknowledged response is delivered", 30_000, deliveredMs, " ms"),
  ]
}

async function stop(): Promise<Verdict[]> {
  const startedAt = performance.now()
  await inside("systemctl stop guichet")
  const tookMs = performance.now() - startedAt
  using database = new Database(join(root, "var/lib/guichet/guichet.db"))
  const first = (sql: string) => Object.values(database.query(sql).get() as Record<string, unknown>)[0]
  const stored = Number(first("SELECT count(*) FROM form_response"))
  return [
    atMost("systemctl stop", 15_000, tookMs, " ms"),
    is("its result", "success", await state("Result")),
    exactly("its exit code", 0, Number(await state("ExecMainStatus"))),
    exactly("responses acknowledged and not stored", 0, Math.max(0, acknowledged - stored)),
    is("the database", "ok", String(first("PRAGMA integrity_check"))),
  ]
}

async function badSetting(): Promise<Verdict[]> {
  await inside("echo GUICHET_TIMEZONE=Mars >> /etc/guichet/guichet.env; systemctl start guichet")
  await Bun.sleep(3000)
  return [
    is("a bad setting: state", "failed", await state("ActiveState")),
    is("… started again in vain", "0", await state("NRestarts")),
    is("… and the log names it", "yes", (await logged("GUICHET_TIMEZONE=Mars")) ? "yes" : "no"),
  ]
}

async function state(property: string): Promise<string> {
  return (await inside(`systemctl show -P ${property} guichet`)).stdout.trim()
}

async function logged(text: string): Promise<string> {
  return (await inside(`journalctl -u guichet -o cat | grep -F '${text}'`)).stdout.trim()
}

async function status(path: string, bearer = ""): Promise<number> {
  const headers = { authorization: `Bearer ${bearer}` }
  return (await fetch(url + path, { headers, keepalive: false }).catch(() => undefined))?.status ?? 0
}

function reply(path: string, body: object): Promise<Response> {
  const headers = { origin: site, "content-type": "application/json" }
  return fetch(url + path, { method: "POST", headers, body: JSON.stringify(body), keepalive: false })
}

async function post(): Promise<boolean> {
  const posted = await reply(`/f/${form}`, { texte: "bonjour" }).catch(() => undefined)
  if (posted?.status !== 201) return false
  acknowledged++
  return true
}

async function api(path: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers }
  const answer = await fetch(url + path, { ...init, keepalive: false })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** Waits until as many different messages were accepted as form responses were acknowledged. */
async function delivered(): Promise<number> {
  const startedAt = performance.now()
  const accepted = () => [...messages.values()].filter(Boolean).length
  const all = await eventually(async () => accepted() >= acknowledged)
  return all ? performance.now() - startedAt : Number.POSITIVE_INFINITY
}

async function eventually(holds: () => Promise<boolean>): Promise<boolean> {
  for (const endsAt = performance.now() + 40_000; performance.now() < endsAt; await Bun.sleep(100))
    if (await holds()) return true
  return false
}
