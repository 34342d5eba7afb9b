import { createSocket } from "node:dgram"
import dns from "node:dns/promises"
import { isIP, isIPv6 } from "node:net"
import { LRUCache } from "lru-cache"
import { secondMs } from "../base/clock.ts"
import { isPublicAddress } from "./public-address.ts"
import type { StopSignal } from "./time-limit.ts"

export interface Target {
  ip: string
  port: number
}

/** `203.0.113.5:443`, `[2001:db8::1]:443`. */
export function socketAddress({ ip, port }: Target): string {
  return `${isIPv6(ip) ? `[${ip}]` : ip}:${port}`
}

/**
 * `targets`: every address of the host that is known was judged and may be called; at least one. Otherwise
 * `private_address` when a single address may not be called, `dns` when there is no address, and `timeout` when no
 * answer came in time. `temporary`: asking again later may give another answer.
 */
export type Resolution = ResolvedTargets | ResolutionFailure

export interface ResolvedTargets {
  targets: readonly Target[]
  /** Aborted when addresses of the other family, which came late, condemn the name. */
  late?: AbortSignal
}

export interface ResolutionFailure {
  outcome: "private_address" | "dns" | "timeout"
  temporary: boolean
}

/** `host` is a name or an IP address, IPv6 in brackets. Never rejects; ends when `signal` does. */
export type Resolve = (host: string, port: number, signal: StopSignal) => Promise<Resolution>

/** A name that is not looked up, and whose address may be private. */
export interface FixedTarget extends Target {
  host: string
}

const bothFamilies = [4, 6] as const
export type Family = (typeof bothFamilies)[number]

/** The addresses of one family. Rejects without any, and ends by itself or when `signal` does. */
export type Lookup = (name: string, family: Family, signal: AbortSignal) => Promise<string[]>

export type MayConnectTo = (ip: string, port: number) => boolean | Promise<boolean>

export interface ResolveOptions {
  lookup: Lookup
  mayConnectTo?: MayConnectTo
  fixedTargets?: readonly FixedTarget[]
}

interface Answer {
  targets: Target[]
  isPrivate: boolean
  /** A server failed: asking again later may give more addresses. */
  temporary: boolean
}

/** Once one family is known, the other is waited for so long: RFC 8305 asks for 50 ms at least. */
const otherFamilyMs = 250
/** Lookups that go on after their time. Beyond this number they end with it. */
const maxLate = 64
const maxCondemned = 10_000

/**
 * Both families are asked at once. A server that is silent about one of them, as many are about IPv6, costs 250 ms.
 * Its answer is judged whenever it comes: one address that may not be called condemns the name, for the request
 * that goes on without it as long as nothing was sent, and afterwards until both families answer in time and well.
 */
export function openResolve(options: ResolveOptions): Resolve {
  const { lookup, mayConnectTo = isPublicSite, fixedTargets = [] } = options
  const condemned = new LRUCache<string, true>({ max: maxCondemned })
  let lateLookups = 0

  async function ask(host: string, port: number, family: Family, signal: AbortSignal): Promise<Answer> {
    const { ips, temporary } = await lookUpFamily(host, family, lookup, signal)
    // One address that may not be called condemns the name: its owner chooses which one a caller gets next.
    const judgements = await Promise.all(ips.map((ip) => mayConnectTo(ip, port)))
    return { targets: ips.map((ip) => ({ ip, port })), isPrivate: !judgements.every(Boolean), temporary }
  }

  /** Without the family that is silent. */
  function goOn(host: string, answer: Answer, whole: Promise<Answer>, stop: () => void): ResolvedTargets {
    const late = new AbortController()
    if (lateLookups >= maxLate) stop()
    lateLookups++
    void whole.then(({ isPrivate }) => {
      lateLookups--
      if (!isPrivate) return
      condemned.set(host, true)
      late.abort()
    })
    return { targets: answer.targets, late: late.signal }
  }

  return async (host, port, signal) => {
    const targets = fixedTargets.filter((target) => target.host === host)
    if (targets.length > 0) return { targets }
    const asking = new AbortController()
    const over = Promise.withResolvers<"over">()
    const stop = () => {
      asking.abort()
      over.resolve("over")
    }
    signal.addEventListener("abort", stop)
    const families = bothFamilies.map((family) => ask(host, port, family, asking.signal))
    const whole = Promise.all(families).then(together)
    const patience = startPatience(condemned.has(host) ? [] : families)
    const first = await Promise.race([whole, patience.over, over.promise])
    patience.stop()
    signal.removeEventListener("abort", stop)
    if (first === "over") return { outcome: "timeout", temporary: true }
    if ("enough" in first) return goOn(host, first.enough, whole, stop)
    if (!first.temporary && !first.isPrivate) condemned.delete(host)
    return resolution(first, condemned.has(host))
  }
}

/** Resolves 250 ms after the first family that has addresses, and at once when one of these may not be called. */
function startPatience(families: readonly Promise<Answer>[]) {
  const { promise: over, resolve } = Promise.withResolvers<Answer | { enough: Answer }>()
  const timers: NodeJS.Timeout[] = []
  let isStopped = false
  for (const family of families)
    void family.then((answer) => {
      if (answer.isPrivate) resolve(answer)
      if (isStopped || answer.targets.length === 0 || answer.isPrivate) return
      timers.push(setTimeout(() => resolve({ enough: answer }), otherFamilyMs))
    })
  return {
    over,
    stop() {
      isStopped = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

function together(answers: readonly Answer[]): Answer {
  const targets = answers.flatMap((answer) => answer.targets)
  return {
    targets: [...new Map(targets.map((target) => [target.ip, target])).values()],
    isPrivate: answers.some(({ isPrivate }) => isPrivate),
    temporary: answers.some(({ temporary }) => temporary),
  }
}

function resolution({ targets, isPrivate, temporary }: Answer, isCondemned: boolean): Resolution {
  if (isPrivate) return { outcome: "private_address", temporary: false }
  if (targets.length === 0) return { outcome: "dns", temporary }
  return isCondemned ? { outcome: "private_address", temporary: true } : { targets }
}

/** A public address, and on this machine's own public addresses only the ports of web sites. */
export async function isPublicSite(ip: string, port: number): Promise<boolean> {
  return isPublicAddress(ip) && !(await isOwnBackDoor(ip, port))
}

/** These errors say that the name, or the record, does not exist. Others may pass. */
const lasting = /NOTFOUND|NODATA|NONAME|BADNAME/

async function lookUpFamily(
  host: string,
  family: Family,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<{ ips: string[]; temporary: boolean }> {
  const literal = host.replace(/^\[(.*)\]$/, "$1")
  const literalFamily = isIP(literal)
  if (literalFamily !== 0) return { ips: literalFamily === family ? [literal] : [], temporary: false }
  try {
    return { ips: await lookup(host, family, signal), temporary: false }
  } catch (error) {
    return { ips: [], temporary: !lasting.test(String((error as { code?: unknown }).code)) }
  }
}

/** A `Resolver` of node:dns has this shape. */
export interface Resolver {
  resolve4(name: string): Promise<string[]>
  resolve6(name: string): Promise<string[]>
  cancel(): void
}

/** One for each lookup: a resolver keeps its answers for minutes, even that there was none. */
export type NewResolver = () => Resolver

/** Resolvers that ask the system's name servers, or these (`127.0.0.1:53`). */
export function resolvers(servers?: readonly string[]): NewResolver {
  return () => {
    const resolver = new dns.Resolver({ timeout: 2 * secondMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    return resolver
  }
}

/** Asks the domain name system alone: no hosts file, no search domains. */
export function domainLookup(newResolver: NewResolver): Lookup {
  return async (name, family, signal) => {
    const resolver = newResolver()
    const cancel = () => resolver.cancel()
    signal.addEventListener("abort", cancel)
    try {
      return await (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name))
    } finally {
      signal.removeEventListener("abort", cancel)
    }
  }
}

/** Asks as every program of the machine does, for names of an internal network too. */
export async function systemAddresses(name: string, family: Family): Promise<string[]> {
  return (await dns.lookup(name, { all: true, family })).map(({ address }) => address)
}

const webPorts = [80, 443]

/**
 * Whether the address is this machine's own, and the port one where no web site is expected: other programs of the
 * machine may trust a client that comes from it. Asks the kernel by binding to the address, since listing the
 * interfaces takes a socket that the systemd unit forbids.
 */
export async function isOwnBackDoor(ip: string, port: number): Promise<boolean> {
  if (webPorts.includes(port)) return false
  const socket = createSocket(isIPv6(ip) ? "udp6" : "udp4")
  try {
    return await new Promise<boolean>((resolve) => {
      socket.once("error", () => resolve(false))
      socket.bind({ address: ip, port: 0, exclusive: true }, () => resolve(true))
    })
  } finally {
    socket.close()
  }
}
