import type { Db } from "./connection.ts"

/**
 * A function that writes, with arguments and a result that can be sent: where a process only reads the database, its
 * parent calls the function in its place.
 */
export interface Write<Args extends unknown[], Result> {
  (db: Db, ...args: Args): Promise<Result>
  writeName: string
}

/** A call of a write, as it is sent to the process that writes. */
export interface WriteCall {
  name: string
  args: unknown[]
}

export type SendWrite = (call: WriteCall) => Promise<unknown>

const senders = new WeakMap<Db, SendWrite>()

/** From now on, writes with this database are called in another process. */
export function sendWrites(db: Db, send: SendWrite): void {
  senders.set(db, send)
}

export function write<Args extends unknown[], Result>(
  writeName: string,
  run: (db: Db, ...args: Args) => Promise<Result>,
): Write<Args, Result> {
  const call = (db: Db, ...args: Args) => {
    const send = senders.get(db)
    return send ? (send({ name: writeName, args }) as Promise<Result>) : run(db, ...args)
  }
  return Object.assign(call, { writeName })
}
