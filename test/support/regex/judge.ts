import { check } from "recheck"
import { threadWorkedMs } from "../processor.ts"
import type { Expression } from "./expressions.ts"
import { type HostileText, hostileTexts } from "./hostile-texts.ts"

declare const self: Worker

/** Runs in a worker: takes an expression, answers why it is not linear, or undefined. */
self.onmessage = async ({ data }: MessageEvent<Expression>) => self.postMessage(await faultOf(data))

/** An automaton that takes so long has grown without measure: the expression has to become simpler. */
const giveUpMs = 120_000

/**
 * What repeats nothing takes a bounded number of steps at each place. Of the others the checker's automata prove how long one search may take.
 * They know neither lookarounds nor back-references, nor how often an expression is searched for again behind what it found: whatever they
 * do not refute is run against hostile texts as well.
 */
async function faultOf({ source, flags }: Expression): Promise<string | undefined> {
  if (!/[*+]|\{\d+,\d*\}/.test(source)) return undefined
  const verdict = await check(source, flags, { checker: "automaton", timeout: giveUpMs })
  if (verdict.status === "vulnerable") return `${verdict.complexity.summary}: ${verdict.attack.pattern}`
  if (verdict.status === "unknown" && verdict.error.kind !== "unsupported")
    return `not to be judged: ${verdict.error.kind}`
  // What is a square is slow each time; a processor that others use may be once.
  const isEachTime = (text: HostileText) => [1, 2].every(() => isSlow(source, flags, text))
  const slow = hostileTexts(source).find(isEachTime)
  return slow && `slow: ${slow.name}`
}

/** A square of 20,000 takes four times as much and more. Of a short text, only what doubles with every character takes as much as that. */
const slowMs = { short: 5, long: 15 }

/**
 * Twice the text takes twice the time, or four times with a square. How long it takes is no measure alone: what the engine's compiled code
 * has no room for is run a hundred times slower.
 */
function isSlow(source: string, flags: string, { length, of }: HostileText): boolean {
  if (length < 100) return workedMs(source, flags, of(length)) > slowMs.short
  const ms = workedMs(source, flags, of(length))
  return ms > slowMs.long && workedMs(source, flags, of(2 * length)) > 3 * ms
}

/** Milliseconds of the processor; of what is not at once done the least of three, for once may be the compiler. */
function workedMs(source: string, flags: string, text: string): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && least > slowMs.short; tries++) {
    const expression = new RegExp(source, flags)
    const worked = threadWorkedMs()
    if (expression.sticky) expression.exec(text)
    else text.split(expression)
    least = Math.min(least, worked())
  }
  return least
}
