import { secondMs } from "../../base/clock.ts"
import { type Client, type ClientOptions, connectionClosed, openClient, type Server } from "./client.ts"

/** Connections that are opened when they are needed and kept. Disposing of it closes them. */
export interface Pool extends Disposable {
  /** A connection of one's own, to be given back. Rejects when none is free for `waitMs`. */
  take(): Promise<Client>
  giveBack(client: Client): void
}

const waitMs = 10 * secondMs

interface Waiter {
  resolve(client: Client): void
  reject(error: unknown): void
  timer: Timer
}

export function openPool(server: Server, size: number, options: ClientOptions): Pool {
  const free: Client[] = []
  const all = new Set<Client>()
  const waiting: Waiter[] = []
  let opening = 0
  let isClosed = false

  async function open(): Promise<Client> {
    opening++
    try {
      const client = await openClient(server, options)
      all.add(client)
      if (isClosed) client.close()
      return client
    } catch (error) {
      // The waiter for this place tries again for itself, instead of waiting until its time is over.
      queueMicrotask(openForWaiter)
      throw error
    } finally {
      opening--
    }
  }

  function wait(): Promise<Client> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { resolve, reject, timer: setTimeout(giveUp, waitMs) }
      waiting.push(waiter)
      function giveUp(): void {
        waiting.splice(waiting.indexOf(waiter), 1)
        reject(connectionClosed(`no connection was free for ${waitMs / secondMs} seconds`))
      }
    })
  }

  /** A connection that was lost leaves its place to the one who waits longest. */
  function openForWaiter(): void {
    const waiter = waiting.shift()
    if (!waiter) return
    clearTimeout(waiter.timer)
    open().then(waiter.resolve, waiter.reject)
  }

  return {
    async take() {
      if (isClosed) throw connectionClosed("the database is closed")
      for (let client = free.pop(); client; client = free.pop()) {
        if (!client.isClosed) return client
        all.delete(client)
      }
      return all.size + opening < size ? open() : wait()
    },
    giveBack(client) {
      if (isClosed || client.isClosed) {
        client.close()
        all.delete(client)
        openForWaiter()
        return
      }
      const waiter = waiting.shift()
      if (!waiter) free.push(client)
      else {
        clearTimeout(waiter.timer)
        waiter.resolve(client)
      }
    },
    [Symbol.dispose]() {
      isClosed = true
      for (const client of all) client.close()
      for (const { reject, timer } of waiting.splice(0)) {
        clearTimeout(timer)
        reject(connectionClosed("the database is closed"))
      }
    },
  }
}
