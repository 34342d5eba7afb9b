import { isIP } from "node:net"
import { secondMs } from "../../../base/clock.ts"
import { type Detail, detail } from "../../../base/errors.ts"
import type { Network } from "./network.ts"

/**
 * The judged addresses of a host, best first, or why it may not be visited. `unknown` may pass. No reason
 * says where a name leads: who names a feed must not learn what the names of an internal network mean, nor
 * which there are.
 */
export type Addresses = { addresses: string[] } | { refused: Detail } | { unknown: Detail }

const keptMs = 60 * secondMs

/**
 * Finds and judges the addresses of hosts. One address that is not public refuses the whole name, since a
 * name with both kinds exists only to slip past a check. What was judged is kept for a minute: connections go
 * to these very addresses, so a name that changes its mind in between gains nothing.
 */
export function addressJudge(network: Network): (url: URL) => Promise<Addresses> {
  const judged = new Map<string, { atMs: number; addresses: Promise<Addresses> }>()
  return (url) => {
    const nowMs = network.clock.now()
    const known = judged.get(url.origin)
    if (known && nowMs - known.atMs < keptMs) return known.addresses
    const addresses = judge(url, network)
    judged.set(url.origin, { atMs: nowMs, addresses })
    void addresses.then((found) => "unknown" in found && judged.delete(url.origin))
    return addresses
  }
}

async function judge({ hostname, port, protocol }: URL, network: Network): Promise<Addresses> {
  const literal = hostname.replace(/^\[(.*)\]$/, "$1")
  const addresses = isIP(literal) ? [literal] : await resolved(hostname, network)
  if (addresses === undefined) return { unknown: detail("reading.unknownHost", { host: hostname }) }
  const portNumber = Number(port) || (protocol === "https:" ? 443 : 80)
  const allowed = await Promise.all(addresses.map((address) => network.mayConnectTo(address, portNumber)))
  if (addresses.length > 0 && allowed.every(Boolean)) return { addresses }
  return {
    refused: isIP(literal)
      ? detail("reading.privateAddress", { host: hostname })
      : detail("reading.privateHost", { host: hostname }),
  }
}

/** None for a name that there is not; undefined when nobody could say. */
async function resolved(hostname: string, network: Network): Promise<string[] | undefined> {
  try {
    return await network.resolve(hostname)
  } catch (error) {
    return /NOTFOUND|NODATA|NONAME/.test(String((error as NodeJS.ErrnoException).code)) ? [] : undefined
  }
}
