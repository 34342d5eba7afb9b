/**
 * Several machines, measured on one: Guichet on SQLite and on PostgreSQL with one and with three nodes, beside
 * graphile-worker and pg-boss on the same server. Nodes, receivers and visitors are processes of their own; PostgreSQL
 * is Debian's with fsync; everything is on loopback and shares the processors.
 *
 *   bun test/bench/nodes.ts --only drain|simulated|accept|ask|meaning|growth [--count 20000] [--rounds 3] [--warm 2]
 *     [--endpoints 50] [--no-peers | --one] [--seconds 4] [--stored 10000000] [--outpost FOLDER]
 *
 * FOLDER holds `outpost` and `outpost-server`, built by `CGO_ENABLED=0 go build -o FOLDER ./cmd/outpost
 * ./cmd/outpost-server` in a checkout of github.com/hookdeck/outpost; Debian's redis-server and rabbitmq-server have to
 * be there, too.
 */
import { parseArgs } from "node:util"
import { drainTable } from "./nodes/deliveries.ts"
import { growthTable } from "./nodes/growth.ts"
import { acceptTable } from "./nodes/posts.ts"
import { askTable } from "./nodes/questions.ts"
import { startBenchServer } from "./nodes/server.ts"
import { requirePackage } from "./packages.ts"

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "drain,simulated,accept,ask,growth" },
    count: { type: "string", default: "20000" },
    rounds: { type: "string", default: "3" },
    warm: { type: "string", default: "2" },
    endpoints: { type: "string", default: "50" },
    "no-peers": { type: "boolean", default: false },
    one: { type: "boolean", default: false },
    seconds: { type: "string", default: "4" },
    outpost: { type: "string" },
    stored: { type: "string", default: "10000000" },
  },
})
const [count, rounds, warm, endpoints, seconds] = [
  values.count,
  values.rounds,
  values.warm,
  values.endpoints,
  values.seconds,
].map(Number) as [number, number, number, number, number]
const parts = values.only.split(",")
const peers = !values["no-peers"]
if (peers && parts.some((part) => part === "drain" || part === "simulated")) requirePackage("pg-boss")
using server = await startBenchServer()
const plan = { count, rounds, warm, endpoints, peers, one: values.one, outpost: values.outpost }
for (const part of parts) {
  if (part === "drain") await drainTable(server, { ...plan, simulatedMs: undefined })
  else if (part === "simulated") await drainTable(server, { ...plan, outpost: undefined, simulatedMs: 2 })
  else if (part === "accept") await acceptTable(server, { count: count / 4, rounds, warm })
  else if (part === "ask") await askTable(server, { embedding: "none", rounds: 2 * rounds, warm, seconds })
  else if (part === "meaning") await askTable(server, { embedding: "local", rounds, warm: 1, seconds })
  else if (part === "growth") await growthTable(server, Number(values.stored))
  else throw new Error(`there is no part ${part}`)
}
