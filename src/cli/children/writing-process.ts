import { Refusal, UsageError } from "../../base/errors.ts"
import { readConfig } from "../../config/config.ts"
import type { Environment } from "../../config/parse.ts"
import { databaseLocation, openDatabase } from "../../db/open.ts"
import type { SendWrite, WriteCall } from "../../db/writes.ts"
import {
  diesWithParent,
  giveWaySignal,
  isCompiled,
  lowerPriority,
  readerArgument,
} from "../../host/child-process.ts"
import { performWrite } from "./indexing-writes.ts"

type Asked = WriteCall & { id: number }
type Answer = { id: number } & ({ result: unknown } | { thrown: Thrown })

/** An error on its way from the process that writes. */
interface Thrown {
  kind: "refusal" | "usage" | "other"
  message: string
  /** Of a refusal, or of SQLite. */
  code: string
  refusal?: Pick<Refusal, "detail" | "reason" | "fields" | "retryAfterSeconds">
}

/**
 * Runs a command in a process of low priority that only reads the database, and writes in its place: no command for
 * people. Passes on what the service tells it to stop by, and ends as the command does. What a terminal sends reaches
 * the command anyway.
 */
export async function writeForChild(argv: readonly string[], environment: Environment): Promise<number> {
  const opened = openDatabase(databaseLocation(readConfig(environment)))
  // Told to the command, by its first write.
  opened.catch(() => {})
  const answer = async ({ id, ...call }: Asked): Promise<Answer> => {
    try {
      return { id, result: await performWrite((await opened).connection.db, call) }
    } catch (error) {
      return { id, thrown: thrownBy(error as Error) }
    }
  }
  const program = isCompiled ? [process.execPath] : [process.execPath, Bun.main]
  const child = Bun.spawn([...program, readerArgument, ...argv], {
    env: { ...environment, ...diesWithParent },
    stdio: ["ignore", "inherit", "inherit"],
    serialization: "advanced",
    ipc: async (asked: Asked, sender) => {
      const answered = await answer(asked)
      try {
        sender.send(answered)
      } catch {
        // A child that has ended, or is about to, wants no answer.
      }
    },
  })
  lowerPriority(child.pid)
  for (const signal of ["SIGTERM", giveWaySignal] as const) process.on(signal, () => child.kill(signal))
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {})
  const exitCode = await child.exited
  await opened.then(({ connection }) => connection[Symbol.asyncDispose]()).catch(() => {})
  return exitCode
}

/** In the command: has its writes made by its parent. Ends with the parent, unless it is disposed of before. */
export function openParentWriter(): { send: SendWrite } & Disposable {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let last = 0
  let isOver = false
  process.on("message", (answer: Answer) => {
    const asked = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ("thrown" in answer) asked?.reject(errorOf(answer.thrown))
    else asked?.resolve(answer.result)
  })
  process.on("disconnect", () => {
    if (!isOver) process.exit(1)
  })
  return {
    send(call) {
      const asked = Promise.withResolvers<unknown>()
      waiting.set(++last, asked)
      process.send?.({ ...call, id: last } satisfies Asked)
      return asked.promise
    },
    [Symbol.dispose]() {
      isOver = true
      process.disconnect?.()
    },
  }
}

function thrownBy(error: Error & { code?: string }): Thrown {
  const { message, code = "" } = error
  if (error instanceof UsageError) return { kind: "usage", message, code }
  if (!(error instanceof Refusal)) return { kind: "other", message, code }
  const { detail, reason, fields, retryAfterSeconds } = error
  return { kind: "refusal", message, code, refusal: { detail, reason, fields, retryAfterSeconds } }
}

function errorOf({ kind, message, code, refusal }: Thrown): Error {
  if (kind === "usage") return new UsageError(message)
  if (!refusal) return Object.assign(new Error(message), { code })
  const { detail, ...options } = refusal
  return new Refusal(code as Refusal["code"], detail, options)
}
