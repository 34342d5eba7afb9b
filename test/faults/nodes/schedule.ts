import { administer } from "../../support/postgres-server.ts"
import { type Cluster, cutNode } from "./cluster.ts"
import type { History } from "./history.ts"

/** What was stopped by a signal, as an upgrade does, and how. */
export interface Drain {
  exitCode: number
  tookMs: number
}

interface Run {
  cluster: Cluster
  history: History
  drains: Drain[]
}

type Doing = (run: Run) => Promise<void>
type Planned = [atSeconds: number, doing: Doing]

/** All leases of deliveries have run out when PostgreSQL is back, and all nodes look dead. */
const longerThanLeasesSeconds = 25

/** Five kills, and everything else that a cluster has to live through, in ten minutes. */
const tenMinutes: Planned[] = [
  [30, kill(0)],
  [70, terminate],
  [100, kill(2)],
  [140, freeze(0)],
  [148, freeze(1)],
  [200, storeAway(60)],
  [225, kill(1)],
  [290, postgresAway(longerThanLeasesSeconds)],
  [350, cut(30)],
  [420, kill(2)],
  [450, drain(0)],
  [500, terminate],
  [540, kill(0)],
]

/** The same faults, as close to each other as they can be. */
const twoMinutes: Planned[] = [
  [8, kill(0)],
  [16, terminate],
  [18, freeze(0)],
  [22, kill(2)],
  [34, storeAway(12)],
  [44, postgresAway(longerThanLeasesSeconds)],
  [76, cut(20)],
  [82, kill(2)],
  [108, drain(0)],
]

/** Resolves when the last fault is over. */
export async function runFaults(run: Run, minutes: number): Promise<void> {
  const [plan, planMinutes] = minutes < 5 ? [twoMinutes, 2] : [tenMinutes, 10]
  const startedAt = performance.now()
  await Promise.all(
    plan.map(async ([atSeconds, doing]) => {
      const atMs = startedAt + atSeconds * 1000 * (minutes / planMinutes)
      await Bun.sleep(Math.max(atMs - performance.now(), 0))
      await doing(run)
    }),
  )
}

const restartAfterMs = 3000
const frozenMs = 18_000

function kill(index: number): Doing {
  return ({ cluster, history }) =>
    history.during("kill", index, async () => {
      const node = cluster.nodes[index]
      await node?.kill()
      await Bun.sleep(restartAfterMs)
      await node?.start()
    })
}

function drain(index: number): Doing {
  return ({ cluster, history, drains }) =>
    history.during("drain", index, async () => {
      const node = cluster.nodes[index]
      const startedAt = performance.now()
      const exitCode = await node?.drain()
      drains.push({ exitCode: exitCode ?? -1, tookMs: performance.now() - startedAt })
      await node?.start()
    })
}

function freeze(index: number): Doing {
  return ({ cluster, history }) =>
    history.during("freeze", index, async () => {
      const node = cluster.nodes[index]
      await node?.freeze()
      await Bun.sleep(frozenMs)
      node?.thaw()
    })
}

/** The network between one node and PostgreSQL swallows every packet. */
function cut(seconds: number): Doing {
  return ({ cluster, history }) =>
    history.during("cut", cutNode, async () => {
      cluster.network.silence()
      await Bun.sleep(seconds * 1000)
      cluster.network.pass()
    })
}

function postgresAway(seconds: number): Doing {
  return ({ cluster, history }) =>
    history.during("postgres away", undefined, async () => {
      await cluster.postgres.crash()
      await Bun.sleep(seconds * 1000)
      await cluster.postgres.restart()
    })
}

function storeAway(seconds: number): Doing {
  return ({ cluster, history }) =>
    history.during("store away", undefined, async () => {
      await cluster.store.stop()
      await Bun.sleep(seconds * 1000)
      await cluster.store.start()
    })
}

function terminate({ cluster, history }: Run): Promise<void> {
  return history.during("terminate", undefined, () =>
    administer(
      cluster.postgres.url("postgres"),
      "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = 'guichet'",
    ),
  )
}
