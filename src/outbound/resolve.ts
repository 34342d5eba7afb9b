import dns from "node:dns/promises"
import { secondMs } from "../base/clock.ts"
import { isPublicAddress } from "./public-address.ts"

/**
 * Asks the domain name system alone: no hosts file, no search domains. A `Resolver` of node:dns has this
 * shape.
 */
export interface Resolver {
  resolve4(host: string): Promise<string[]>
  resolve6(host: string): Promise<string[]>
  /** Gives up what is being asked. */
  cancel(): void
}

/** A fresh one per name: each keeps what it was answered, even that there was nothing, for minutes. */
export type NewResolver = () => Resolver

/** The system's name servers, or these (`127.0.0.1:53`). */
export function resolvers(servers?: readonly string[]): NewResolver {
  return () => {
    const resolver = new dns.Resolver({ timeout: 2 * secondMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    return resolver
  }
}

/** Where a connection may go. */
export interface Target {
  ip: string
  port: number
}

/**
 * `targets`: every answer was public; at least one. Otherwise what went wrong: `private_address` when a
 * single answer is
 * not public, `dns` when there is no answer; `temporary` when asking again later may give one.
 */
export type Resolution =
  | { targets: Target[] }
  | { outcome: "private_address" | "dns" | "timeout"; temporary: boolean }

/** Resolves a name anew and judges every address it has. Never rejects; ends when `signal` does. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<Resolution>

/** GUICHET_WEBHOOK_RESOLVE: for these names nobody is asked, and the address may be private. */
export interface FixedTarget extends Target {
  host: string
}

/** Specification, part 4: "uses port 443". */
const httpsPort = 443
/** No address answers these errors for ever: the name, or the record, does not exist. */
const lasting = ["ENOTFOUND", "ENODATA", "EBADNAME"]

export function openResolve(
  newResolver: NewResolver,
  fixed: readonly FixedTarget[],
  port: number = httpsPort,
): Resolve {
  return async (host, signal) => {
    const targets = fixed.filter((target) => target.host === host)
    if (targets.length > 0) return { targets }
    const resolver = newResolver()
    const over = Promise.withResolvers<Resolution>()
    function giveUp(): void {
      over.resolve({ outcome: "timeout", temporary: true })
      resolver.cancel()
    }
    signal.addEventListener("abort", giveUp)
    const answers = Promise.all([
      answersOf(() => resolver.resolve4(host)),
      answersOf(() => resolver.resolve6(host)),
    ])
    const resolution = await Promise.race([answers.then((all) => judge(all, port)), over.promise])
    signal.removeEventListener("abort", giveUp)
    return resolution
  }
}

interface Answers {
  ips: string[]
  temporary: boolean
}

async function answersOf(ask: () => Promise<string[]>): Promise<Answers> {
  try {
    return { ips: await ask(), temporary: false }
  } catch (error) {
    return { ips: [], temporary: !lasting.includes(String((error as { code?: unknown }).code)) }
  }
}

/** One address that is not public condemns the name: whoever runs it chooses which one a caller gets next. */
function judge(answers: Answers[], port: number): Resolution {
  const ips = answers.flatMap((answer) => answer.ips)
  if (!ips.every(isPublicAddress)) return { outcome: "private_address", temporary: false }
  if (ips.length === 0) return { outcome: "dns", temporary: answers.some((answer) => answer.temporary) }
  return { targets: ips.map((ip) => ({ ip, port })) }
}

/** `203.0.113.7:443`, `[2001:db8::7]:443` */
export function originOfTarget({ ip, port }: Target): string {
  return `https://${ip.includes(":") ? `[${ip}]` : ip}:${port}`
}
