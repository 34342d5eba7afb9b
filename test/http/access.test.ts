import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { isMissing } from "../support/missing.ts"
import { eventually } from "../support/processes.ts"
import { type Served, startServe } from "../support/serve.ts"
import { temporaryFolder } from "../support/service.ts"

const typed = "un secret qui ne va dans aucun journal"
const metricsToken = "a-token-of-sixteen-characters"
const filter = join(import.meta.dir, "../../src/host/fail2ban/filter.conf")
const noFail2ban = isMissing(
  Bun.which("fail2ban-regex") !== null,
  "tests of the fail2ban filter are skipped: apt-get install fail2ban",
)

interface Try {
  path: string
  init: RequestInit
  message: string
}

function tries(url: string): Try[] {
  const bearer = { authorization: `Bearer ${typed.replaceAll(" ", "")}` }
  const credentials = new URLSearchParams({ email: `${typed}@exemple.fr`, password: typed })
  return [
    {
      path: "/console/sign-in",
      init: { method: "POST", body: credentials, headers: { origin: url } },
      message: "sign-in failed",
    },
    { path: "/api/v1/projects", init: { headers: bearer }, message: "token refused" },
    { path: "/metrics", init: { headers: bearer }, message: "token refused" },
    { path: `/console/setup/${typed}`, init: {}, message: "link refused" },
    { path: `/console/invitations/${typed}`, init: {}, message: "link refused" },
  ]
}

async function tryFrom(served: Served, forwardedFor: string | undefined, wanted = tries(served.url)) {
  for (const { path, init } of wanted) {
    const headers = new Headers(init.headers)
    if (forwardedFor !== undefined) headers.set("x-forwarded-for", forwardedFor)
    await (await fetch(`${served.url}${path}`, { ...init, headers, redirect: "manual" })).text()
  }
}

function accessLines(served: Served): Record<string, unknown>[] {
  const lines = served
    .log()
    .split("\n")
    // What stands after the last end of a line is still to be written.
    .slice(0, -1)
    .filter((line) => line.includes('"guichet.access"'))
  return lines.map((line) => JSON.parse(line))
}

const serve = (dataDir: string, more: Record<string, string> = {}) =>
  startServe({
    GUICHET_DATA_DIR: dataDir,
    GUICHET_METRICS_TOKEN: metricsToken,
    GUICHET_TRUSTED_PROXIES: "127.0.0.0/8,::1,198.51.100.0/24",
    ...more,
  })

test("every failed sign-in and wrong token is one line with the client's address, and nothing that was typed", async () => {
  using folder = temporaryFolder()
  await using served = await serve(folder.path)
  await tryFrom(served, "192.0.2.66, 203.0.113.7, 198.51.100.2")
  const wanted = tries(served.url)
  const events = await eventually(() => {
    const lines = accessLines(served)
    return lines.length >= wanted.length ? lines : undefined
  })
  expect(events.map(({ message }) => message)).toEqual(wanted.map(({ message }) => message))
  for (const event of events) {
    expect(event).toMatchObject({ level: "WARN", address: "203.0.113.7" })
    expect(event).not.toHaveProperty("proxy")
  }
  // Equal lines are not summed up: fail2ban counts them.
  await tryFrom(served, "2001:db8::7", Array(12).fill(wanted[1]))
  await eventually(() => accessLines(served).length >= wanted.length + 12)
  expect(accessLines(served).slice(wanted.length)).toHaveLength(12)
  expect(accessLines(served).at(-1)).toMatchObject({ address: "2001:db8::7" })
  expect(served.log()).not.toContain(typed)
  expect(served.log()).not.toContain(typed.replaceAll(" ", ""))
  const reply = await fetch(`${served.url}/metrics`, {
    headers: { authorization: `Bearer ${metricsToken}` },
  })
  const figures = await reply.text()
  expect(figures).toMatch(/^guichet_sign_ins_total\{.*result="unauthorized".*\} 1$/m)
  expect(figures).toMatch(/^guichet_tokens_refused_total(?:\{.*\})? 14$/m)
})

test("what is right, and what shows no token, leaves no such line", async () => {
  using folder = temporaryFolder()
  await using served = await serve(folder.path)
  for (const headers of [{ authorization: `Bearer ${metricsToken}` }, {}])
    await (await fetch(`${served.url}/metrics`, { headers })).text()
  await (await fetch(`${served.url}/api/v1/projects`)).text()
  await (await fetch(`${served.url}/console/sign-in`)).text()
  expect(accessLines(served)).toEqual([])
})

test("GUICHET_LOG_ADDRESSES=off keeps the lines and leaves the addresses out", async () => {
  using folder = temporaryFolder()
  await using served = await serve(folder.path, { GUICHET_LOG_ADDRESSES: "off" })
  await tryFrom(served, "203.0.113.7")
  await eventually(() => accessLines(served).length >= 5)
  expect(accessLines(served)).toHaveLength(5)
  expect(served.log()).not.toContain("203.0.113.7")
  expect(served.log()).not.toContain('127.0.0.1",')
})

test.skipIf(noFail2ban)("Debian's fail2ban finds these addresses, those of proxies apart", async () => {
  using folder = temporaryFolder()
  await using served = await serve(folder.path)
  await tryFrom(served, "203.0.113.7")
  await tryFrom(served, "2001:db8::7")
  // Neither loopback nor another proxy, which do not say for whom they ask.
  await tryFrom(served, undefined)
  await tryFrom(served, "198.51.100.9")
  await ask(served.url, '203.0.113.9"level":"WARN","message":"token refused"')
  const found = (log: string) => {
    const file = join(folder.path, "guichet.log")
    writeFileSync(file, log)
    const { stdout } = Bun.spawnSync(["fail2ban-regex", "-v", "--raw", file, filter])
    return [...stdout.toString().matchAll(/^\|\s+([\da-f.:]+) {2}\w{3} /gm)].map(([, address]) => address)
  }
  const wanted = [...Array(3).fill("203.0.113.7"), ...Array(3).fill("2001:db8::7")]
  await eventually(() => accessLines(served).length >= 4 * tries(served.url).length)
  const lines = served.log().trim().split("\n")
  expect(found(served.log())).toEqual(wanted)
  // As its journal backend hands them over, with and without the priority that the journal takes away.
  const asJournal = (prefix: string) =>
    lines.map((line) => `machine guichet[123]: ${prefix}${line}\n`).join("")
  expect(found(asJournal(""))).toEqual(wanted)
  expect(found(asJournal("<4>"))).toEqual(wanted)
})

/** A path that imitates a line. */
async function ask(url: string, imitated: string): Promise<void> {
  await (await fetch(`${url}/${encodeURIComponent(imitated)}`)).text()
}
