/**
 * `bun test/faults/costs/costs.ts [--only TEXT]`: sends every public route the largest and dearest that each of its
 * fields accepts, beside as much harmless text in the same run, and compares what the event loop computed for them, in
 * time of the processor. Prints the ten dearest; exit 1 when one costs too much, or when a public route is not tried.
 */
import { parseArgs } from "node:util"
import { eventLoopCpuMs } from "../../support/processor.ts"
import { sendRaw } from "../../support/raw-request.ts"
import { temporaryFolder } from "../../support/service.ts"
import { atMost, exactly, judge, type Verdict } from "../../support/verdict.ts"
import { type Pair, pairsAt } from "./pairs.ts"
import { closedPlaces, places } from "./places.ts"
import { publicRoutes } from "./public-routes.ts"
import { type PublicSite, startPublicSite } from "./public-site.ts"

/** So much may any request cost, however little a harmless one does. */
const freeMs = 60
const tries = 3
const shown = 10

interface Cost {
  name: string
  hostileMs: number
  harmlessMs: number
  /** Found, in parts of what is allowed. */
  share: number
  /** A request that was not read says nothing about what it costs. */
  wrong: string | undefined
}

/** `only`: routes and fields whose name has it. */
export async function costsOfPublicRoutes(only = ""): Promise<Verdict[]> {
  using folder = temporaryFolder()
  await using site = await startPublicSite(folder.path)
  const tried = [...places(site), ...closedPlaces()]
  const open = await publicRoutes(site)
  const missing = open.filter((route) => !tried.some((place) => place.route === route))
  const worst: Cost[] = []
  let number = 0
  for (const { route, refusal, targets = [], pairs = [] } of tried) {
    const fields = [
      ...targets.map((target) => ({
        name: target.name,
        pairs: () => pairsAt({ ...target, ...(refusal && { refusal }) }),
      })),
      ...pairs.map((pair) => ({ name: "", pairs: () => [pair] })),
    ]
    for (const field of fields) {
      const costs: Cost[] = []
      for (const pair of field.pairs()) {
        const name = [route, field.name, pair.name].filter(Boolean).join(", ")
        if (name.includes(only)) costs.push(await compared(site, name, pair, () => ++number))
      }
      worst.push(...costs.toSorted((one, other) => rank(other) - rank(one)).slice(0, 1))
    }
  }
  const sorted = worst.toSorted((one, other) => other.hostileMs - one.hostileMs)
  const told = sorted.filter(({ share, wrong }, at) => at < shown || share > 1 || wrong)
  return [
    ...told.map(verdictOn),
    exactly(`public routes that are not tried, of ${open.length}${list(missing)}`, 0, missing.length),
  ]
}

/** Of a field's costs, one that was not found out is the worst. */
function rank({ share, wrong }: Cost): number {
  return wrong ? Number.POSITIVE_INFINITY : share
}

/** The least of three tries, should the first be too much. */
async function compared(site: PublicSite, name: string, pair: Pair, next: () => number): Promise<Cost> {
  const found = { hostileMs: Number.POSITIVE_INFINITY, harmlessMs: Number.POSITIVE_INFINITY, share: 0 }
  let status = 0
  for (let tried = 0; tried < tries && (tried === 0 || found.share > 1); tried++) {
    const harmless = await cost(site, pair.harmless(next()))
    const hostile = await cost(site, pair.hostile(next()))
    found.harmlessMs = Math.min(found.harmlessMs, harmless.ms)
    found.hostileMs = Math.min(found.hostileMs, hostile.ms)
    found.share = found.hostileMs / Math.max(freeMs, pair.times * found.harmlessMs)
    status = hostile.status
  }
  const isRead = (status > 0 && status < 500 && status !== 429) || status === pair.refusal
  return { name, ...found, wrong: isRead ? undefined : `status ${status}` }
}

async function cost(
  { service, url }: PublicSite,
  request: Uint8Array,
): Promise<{ ms: number; status: number }> {
  const before = eventLoopCpuMs(service.pid)
  const status = await sendRaw(url, request)
  return { ms: eventLoopCpuMs(service.pid) - before, status }
}

function verdictOn({ name, hostileMs, harmlessMs, share, wrong }: Cost): Verdict {
  const ratio = (hostileMs / Math.max(harmlessMs, 0.01)).toFixed(1)
  const verdict = atMost(name, Math.round(hostileMs / share), hostileMs, " ms CPU")
  const found = `${verdict.found}, ${ratio} times ${harmlessMs.toFixed(1)} ms${wrong ? `, ${wrong}` : ""}`
  return { ...verdict, found, passed: share <= 1 && !wrong }
}

function list(routes: readonly string[]): string {
  return routes.length > 0 ? `: ${routes.join(", ")}` : ""
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { only: { type: "string" } } })
  const trial = { name: "costs", run: () => costsOfPublicRoutes(values.only) }
  process.exitCode = (await judge([trial])) ? 0 : 1
}
