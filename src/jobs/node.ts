import { secondMs, systemClock } from "../base/clock.ts"
import { newId } from "../base/ids.ts"
import type { Log } from "../base/log.ts"
import type { Db } from "../db/connection.ts"
import { beat, removeDead, removeNode } from "../db/node.ts"
import { engineOf } from "../db/words.ts"

/** This process among the services of its database. Disposing of it leaves to the others what it holds. */
export interface Node extends AsyncDisposable {
  /** Undefined until it has joined, and where one process alone works with the database. */
  readonly id: string | undefined
  /**
   * Makes this process a node, which says every few seconds that it lives. Calls `takeOver` as often, so that what a
   * dead node held is taken over within 15 seconds; however long that takes, the beat goes on. Does nothing on SQLite.
   */
  join(takeOver: () => Promise<void>): Promise<void>
}

export interface NodeTimes {
  beatEveryMs: number
  /** A node that was silent for so long is dead. */
  deadAfterMs: number
}

const usualTimes: NodeTimes = { beatEveryMs: 3 * secondMs, deadAfterMs: 9 * secondMs }

interface NodeDeps {
  /** Whose connections no request waits for: a node that is slow must not look dead. */
  db: Db
  log: Log
  host: string
  version: string
  arithmetic: string
  times?: Partial<NodeTimes> | undefined
}

export function openNode({ db, log, times, ...identity }: NodeDeps): Node {
  const { beatEveryMs, deadAfterMs } = { ...usualTimes, ...times }
  let id: string | undefined
  let timer: Timer | undefined
  let beating: Promise<void> | undefined
  let takingOver: Promise<void> | undefined
  /** Since when every beat of this node has come in time. */
  let steadySinceMs = performance.now()
  let lastBeatMs = performance.now()

  async function turn(id: string, takeOver: () => Promise<void>): Promise<void> {
    try {
      await beat(db, { id, ...identity })
      const nowMs = performance.now()
      if (nowMs - lastBeatMs >= deadAfterMs / 2) steadySinceMs = nowMs
      lastBeatMs = nowMs
      // After some seconds without the database, or a restart of it, nodes look dead to the one that comes back first:
      // they had no beat either. It waits until each of them must have had one.
      if (nowMs - steadySinceMs >= deadAfterMs)
        for (const dead of await removeDead(db, deadAfterMs))
          log.warning("a node died: the others take over what it held", { node: dead.id, host: dead.host })
    } catch (error) {
      steadySinceMs = performance.now()
      log.warning("a beat of this node failed", { error })
      return
    }
    takingOver ??= takeOver()
      .catch((error) => log.warning("what a dead node held could not be taken over", { error }))
      .finally(() => {
        takingOver = undefined
      })
  }

  return {
    get id() {
      return id
    },
    async join(takeOver) {
      if (engineOf(db) === "sqlite") {
        // Nodes of the PostgreSQL database that this one was moved from hold nothing here.
        await db.deleteFrom("node").execute()
        return
      }
      const own = newId("node", systemClock.now())
      await beat(db, { id: own, ...identity })
      id = own
      steadySinceMs = lastBeatMs = performance.now()
      timer = setInterval(() => {
        beating ??= turn(own, takeOver).finally(() => {
          beating = undefined
        })
      }, beatEveryMs)
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await beating
      await takingOver
      const own = id
      id = undefined
      // Without the database the others find out by themselves.
      if (own) await removeNode(db, own).catch(() => {})
    },
  }
}
