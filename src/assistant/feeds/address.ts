import { isIP } from "node:net"
import { secondMs } from "../../clock.ts"
import type { Network } from "./network.ts"

/** The judged addresses of a host, best first, or why it may not be visited. */
export type Addresses = { addresses: string[] } | { refused: string } | { unknown: string }

const keptMs = 60 * secondMs

/**
 * Finds and judges the addresses of hosts. One address that is not public refuses the whole name, since a name with
 * both kinds exists only to slip past a check. What was judged is kept for a minute: connections go to
 * these very addresses, so a name that changes its mind in between gains nothing.
 */
export function addressJudge(network: Network): (hostname: string) => Promise<Addresses> {
  const judged = new Map<string, { atMs: number; addresses: Promise<Addresses> }>()
  return (hostname) => {
    const nowMs = network.clock.now()
    const known = judged.get(hostname)
    if (known && nowMs - known.atMs < keptMs) return known.addresses
    const addresses = judge(hostname, network)
    judged.set(hostname, { atMs: nowMs, addresses })
    void addresses.then((found) => "unknown" in found && judged.delete(hostname))
    return addresses
  }
}

async function judge(hostname: string, network: Network): Promise<Addresses> {
  const literal = hostname.replace(/^\[(.*)\]$/, "$1")
  const addresses = isIP(literal) ? [literal] : await network.resolve(hostname).catch(() => [])
  if (addresses.length === 0) return { unknown: `${hostname} has no address` }
  const bad = addresses.find((address) => !network.mayConnectTo(address))
  if (bad === undefined) return { addresses }
  const place = bad === literal ? bad : `${hostname} is at ${bad}, which`
  return { refused: `${place} is no public address: GUICHET_FEED_ALLOW_PRIVATE=true reads private networks` }
}
