import { checkSync } from "recheck/lib/browser.js"
import type { Expression } from "./expressions.ts"
import { hostileTexts } from "./hostile-texts.ts"

declare const self: Worker
/** Bun has it, its types have not. */
declare const process: { threadCpuUsage(before?: CpuUsage): CpuUsage }

/** In microseconds. */
interface CpuUsage {
  user: number
  system: number
}

/** Runs in a worker: takes an expression, answers why it is not linear, or undefined. */
self.onmessage = ({ data }: MessageEvent<Expression>) => self.postMessage(faultOf(data))

/** An automaton that takes so long has grown without measure: the expression has to become simpler. */
const giveUpMs = 120_000

/**
 * The checker's automata prove how long one search may take. They know neither lookarounds nor
 * back-references, nor how often an expression is searched for again behind what it found: whatever they do
 * not refute is run against hostile texts as well.
 */
function faultOf({ source, flags }: Expression): string | undefined {
  const verdict = checkSync(source, flags, { checker: "automaton", timeout: giveUpMs })
  if (verdict.status === "vulnerable") return `${verdict.complexity.summary}: ${verdict.attack.pattern}`
  if (verdict.status === "unknown" && verdict.error.kind !== "unsupported")
    return `not to be judged: ${verdict.error.kind}`
  if (!/[*+]|\{\d+,\d*\}/.test(source)) return undefined
  for (const { name, text } of hostileTexts(source)) if (isSlow(source, flags, text)) return `slow: ${name}`
  return undefined
}

/**
 * Of the processor, by the length of a text: a linear expression takes a tenth of it, a square of the length
 * four times as much and more.
 */
function slowMs(length: number): number {
  return length < 100 ? 5 : 15
}

/** Slow three times in a row: once may be the compiler. */
function isSlow(source: string, flags: string, text: string): boolean {
  return [1, 2, 3].every(() => {
    const expression = new RegExp(source, flags)
    const before = process.threadCpuUsage()
    if (expression.sticky) expression.exec(text)
    else text.split(expression)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000 > slowMs(text.length)
  })
}
