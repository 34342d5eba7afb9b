import { minuteMs, secondMs } from "../../base/clock.ts"
import { Refusal } from "../../base/errors.ts"
import type { Log } from "../../base/log.ts"
import { explainError as explainPostgres } from "../../db/postgres/explain-error.ts"
import { explainError as explainSqlite } from "../../db/sqlite/explain-error.ts"
import type { Notifier } from "../../host/systemd/notify.ts"
import { answerProbe, waitingProbes } from "../../http/health.ts"
import { type Handler, notYet } from "../../server.ts"
import { inEnglish } from "../../wording/english.ts"
import { systemFailure } from "../kit/system-failure.ts"

export interface Waiting {
  /** `/healthz` is 200, `/readyz` 503 with what is waited for, everything else 503 with the usual error. */
  answer: Handler
  /** Tries `open` again until nothing passing is in the way; undefined when the service is told to stop before. */
  until<Opened extends AsyncDisposable>(open: () => Opened | Promise<Opened>): Promise<Opened | undefined>
}

const firstPauseMs = 250
const longestPauseMs = 2 * secondMs
const toldEveryMs = minuteMs

export function openWaiting(log: Log, notifier: Notifier, stopped: Promise<unknown>): Waiting {
  let reason = "starting"
  const toldAtMs = new Map<string, number>()
  const isStopped = stopped.then(() => undefined)
  const probes = waitingProbes(() => reason)
  const answerOthers = notYet()

  function waitFor(current: string): void {
    reason = current
    notifier.status(`waits: ${reason}`)
    const nowMs = performance.now()
    if (nowMs - (toldAtMs.get(reason) ?? Number.NEGATIVE_INFINITY) < toldEveryMs) return
    toldAtMs.set(reason, nowMs)
    log.warn("not ready: the service waits for what it needs", { reason })
  }

  return {
    answer: (request, server) => answerProbe(request, probes) ?? answerOthers(request, server),
    async until(open) {
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
        const opening = Promise.try(open)
        try {
          const opened = await Promise.race([opening, isStopped])
          if (!opened) void opening.then((late) => late[Symbol.asyncDispose]()).catch(() => {})
          return opened
        } catch (error) {
          const current = passingReason(error)
          if (current === undefined) throw error
          waitFor(current)
        }
        if (await Promise.race([Bun.sleep(pauseMs), stopped])) return undefined
      }
    },
  }
}

/** Codes of the system for a disk, a folder or a machine that is not as it should be at the moment. */
const passingCodes =
  /^E(?:NOSPC|DQUOT|ROFS|IO|ACCES|PERM|NOENT|STALE|NODEV|NXIO|BUSY|AGAIN|MFILE|NFILE|NOMEM|TIMEDOUT|HOSTDOWN)$/

/**
 * Decides which errors a start waits out, and gives the reason as a sentence: a database, a disk, a lock or a port that
 * is not there may come while the program and its settings stay as they are. Undefined for all others, which are
 * thrown: bad settings, another key, damaged data or data of a newer program (UsageError), and defects.
 */
function passingReason(error: unknown): string | undefined {
  const explained = explainPostgres(explainSqlite(error, "the database"))
  if (explained instanceof Refusal)
    return explained.code === "unavailable" ? inEnglish(explained.reason) : undefined
  const { code } = (explained ?? {}) as NodeJS.ErrnoException
  return explained instanceof Error && passingCodes.test(String(code)) ? systemFailure(explained) : undefined
}
