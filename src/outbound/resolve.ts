import dns from "node:dns/promises"
import { isIP } from "node:net"
import { secondMs } from "../base/clock.ts"
import { isOwnBackDoor } from "./own-address.ts"
import { isPublicAddress } from "./public-address.ts"

/** Where a connection may go. */
export interface Target {
  ip: string
  port: number
}

/**
 * `targets`: every address of the host was judged and may be called; at least one, in the order to try them.
 * Otherwise `private_address` when a single address may not be called, `dns` when there is no address, and
 * `timeout` when nobody said in time. `temporary`: asking again later may give another answer.
 */
export type Resolution = { targets: Target[] } | Unresolved

export interface Unresolved {
  outcome: "private_address" | "dns" | "timeout"
  temporary: boolean
}

/**
 * Resolves a host anew and judges every address it has. `host` is a name or an IP address, in brackets if it
 * is IPv6. Never rejects; ends when `signal` does.
 */
export type Resolve = (host: string, port: number, signal: AbortSignal) => Promise<Resolution>

/** For this name nobody is asked, and the address may be private. */
export interface FixedTarget extends Target {
  host: string
}

/** The addresses of a name. Never rejects. */
export type Lookup = (name: string, signal: AbortSignal) => Promise<Answers>

export interface Answers {
  ips: string[]
  /** A server failed: asking again later may give more addresses. */
  temporary: boolean
}

export type MayConnectTo = (ip: string, port: number) => boolean | Promise<boolean>

export interface ResolveOptions {
  lookup: Lookup
  mayConnectTo?: MayConnectTo
  fixedTargets?: readonly FixedTarget[]
}

export function openResolve(options: ResolveOptions): Resolve {
  const { lookup, mayConnectTo = isPublicSite, fixedTargets = [] } = options
  return async (host, port, signal) => {
    const targets = fixedTargets.filter((target) => target.host === host)
    if (targets.length > 0) return { targets }
    const over = Promise.withResolvers<Resolution>()
    const giveUp = () => over.resolve({ outcome: "timeout", temporary: true })
    signal.addEventListener("abort", giveUp)
    const answers = answersOf(host, lookup, signal)
    const judged = answers.then((found) => judge(found, port, mayConnectTo))
    const resolution = await Promise.race([judged, over.promise])
    signal.removeEventListener("abort", giveUp)
    return resolution
  }
}

/** A public address, and on this machine's own public addresses only the ports of web sites. */
export async function isPublicSite(ip: string, port: number): Promise<boolean> {
  return isPublicAddress(ip) && !(await isOwnBackDoor(ip, port))
}

async function answersOf(host: string, lookup: Lookup, signal: AbortSignal): Promise<Answers> {
  const literal = host.replace(/^\[(.*)\]$/, "$1")
  return isIP(literal) ? { ips: [literal], temporary: false } : lookup(host, signal)
}

/** One address that may not be called condemns the name: its owner chooses which one a caller gets next. */
async function judge(
  { ips, temporary }: Answers,
  port: number,
  mayConnectTo: MayConnectTo,
): Promise<Resolution> {
  const judgements = await Promise.all(ips.map((ip) => mayConnectTo(ip, port)))
  if (!judgements.every(Boolean)) return { outcome: "private_address", temporary: false }
  if (ips.length === 0) return { outcome: "dns", temporary }
  return { targets: ips.map((ip) => ({ ip, port })) }
}

/** A `Resolver` of node:dns has this shape. */
export interface Resolver {
  resolve4(name: string): Promise<string[]>
  resolve6(name: string): Promise<string[]>
  /** Ends the queries under way. */
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
  return async (name, signal) => {
    const resolver = newResolver()
    const cancel = () => resolver.cancel()
    signal.addEventListener("abort", cancel)
    const [ipv4, ipv6] = await Promise.all([
      collectAnswers(() => resolver.resolve4(name)),
      collectAnswers(() => resolver.resolve6(name)),
    ])
    signal.removeEventListener("abort", cancel)
    return { ips: [...ipv4.ips, ...ipv6.ips], temporary: ipv4.temporary || ipv6.temporary }
  }
}

/** Asks as every program of the machine does, for names of an internal network too. */
export async function systemAddresses(name: string): Promise<string[]> {
  return (await dns.lookup(name, { all: true })).map(({ address }) => address)
}

/** These errors say that the name, or the record, does not exist. Others may pass. */
const lasting = /NOTFOUND|NODATA|NONAME|BADNAME/

export async function collectAnswers(ask: () => Promise<string[]>): Promise<Answers> {
  try {
    return { ips: await ask(), temporary: false }
  } catch (error) {
    return { ips: [], temporary: !lasting.test(String((error as { code?: unknown }).code)) }
  }
}
