import { secondMs } from "../../base/clock.ts"
import { detail, Refusal } from "../../base/errors.ts"

/** Bounds what a node works on, so that a crowd is answered in turn and the rest of it told at once. */
export interface AskQueueLimits {
  /**
   * Questions at work: 32 in line for the embedded model and 16 that search. With fewer, questions wait for vectors
   * that words alone would answer in time; with more, one that comes is worked on beside all of them.
   */
  atWork: number
  /** Questions that wait, in all lines together. */
  waiting: number
  /** A crowd that comes at once waits so long. */
  waitMs: number
  /**
   * Once a line has not been empty for `waitMs`, more comes than can be answered: who joins it then waits so long
   * only. Otherwise everybody would be answered, but late, and clients would leave just before. (The controlled
   * delay of B. Maurer, « Fail at Scale », ACM Queue, 2015.)
   */
  overloadedWaitMs: number
}

export const askQueueLimits: AskQueueLimits = {
  atWork: 48,
  waiting: 1000,
  waitMs: 5 * secondMs,
  overloadedWaitMs: 0.25 * secondMs,
}

/** A line for each project; they take turns, so that no question waits behind the crowd of another project. */
export interface AskQueue {
  /** Takes a free place, to be given back by the function that it returns, once however often that is called. */
  enter(): (() => void) | undefined
  /**
   * Resolves to a place once the question's turn comes. Rejects with Refusal `unavailable` at once when too many
   * wait, after a time in vain, and when the caller goes away.
   */
  wait(projectId: string, signal: AbortSignal): Promise<() => void>
}

interface Line {
  questions: Waiting[]
  /** Since when it has not been empty. */
  sinceMs: number
}

interface Waiting {
  begin(): void
  giveUp(reason: Refusal): void
}

export interface QueueTimer {
  now(): number
  /** Calls `over` after `ms`, unless the function that it returns is called before. */
  start(over: () => void, ms: number): () => void
}

export function openAskQueue(limits = askQueueLimits, timer = systemTimer): AskQueue {
  let atWork = 0
  let waiting = 0
  /** No line is empty. The one whose turn is next comes first. */
  const lines = new Map<string, Line>()

  function takePlace(): () => void {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const [next] = lines
      if (next) callNext(...next)
      else atWork--
    }
  }

  /** The place is passed on, and the line goes behind the others. */
  function callNext(projectId: string, line: Line): void {
    lines.delete(projectId)
    lines.set(projectId, line)
    line.questions[0]?.begin()
  }

  function wait(projectId: string, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) return Promise.reject(callerGone())
    const nowMs = timer.now()
    const line = lines.get(projectId) ?? { questions: [], sinceMs: nowMs }
    if (waiting >= limits.waiting && !makeRoomFor(line)) return Promise.reject(overloaded())
    const turn = Promise.withResolvers<() => void>()
    const leaveLine = () => {
      waiting--
      line.questions.splice(line.questions.indexOf(question), 1)
      if (line.questions.length === 0) lines.delete(projectId)
      stopTimer()
      signal.removeEventListener("abort", goAway)
    }
    const question: Waiting = {
      begin() {
        leaveLine()
        turn.resolve(takePlace())
      },
      giveUp(reason) {
        leaveLine()
        turn.reject(reason)
      },
    }
    const goAway = () => question.giveUp(callerGone())
    const isOverloaded = nowMs - line.sinceMs >= limits.waitMs
    const stopTimer = timer.start(
      () => question.giveUp(overloaded()),
      isOverloaded ? limits.overloadedWaitMs : limits.waitMs,
    )
    signal.addEventListener("abort", goAway)
    waiting++
    line.questions.push(question)
    lines.set(projectId, line)
    return turn.promise
  }

  /** The last one of the longest line makes room for a question of a shorter line. */
  function makeRoomFor({ questions }: Line): boolean {
    const [first] = lines.values()
    let longest = first?.questions ?? questions
    for (const line of lines.values()) if (line.questions.length > longest.length) longest = line.questions
    if (questions.length + 1 >= longest.length) return false
    longest.at(-1)?.giveUp(overloaded())
    return true
  }

  return {
    enter() {
      if (atWork >= limits.atWork) return undefined
      atWork++
      return takePlace()
    },
    wait,
  }
}

const systemTimer: QueueTimer = {
  now: () => performance.now(),
  start(over, ms) {
    const timeout = setTimeout(over, ms)
    return () => clearTimeout(timeout)
  },
}

function overloaded(): Refusal {
  return unavailable("more questions than this node can answer", 5)
}

/** Only logged: the caller is gone. */
export function callerGone(): Refusal {
  return unavailable("the caller has gone away", 0)
}

/** Says in one sentence, whatever the reason, that the visitor may try again later. */
export function unavailable(reason: string, retryAfterSeconds: number): Refusal {
  return new Refusal("unavailable", detail("assistant.unavailable"), { reason, retryAfterSeconds })
}
