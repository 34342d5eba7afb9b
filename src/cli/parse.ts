import { answerParserCall, type ParserCall } from "../assistant/feeds/parser.ts"

/**
 * What a process of ours runs that parses for another, which alone starts it: no command for people. Ends
 * with its parent, and never because of a key pressed at the terminal of that one.
 */
export function answerParent(): Promise<never> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {})
  process.on("message", async (call: ParserCall) => process.send?.(await answerParserCall(call)))
  process.on("disconnect", () => process.exit())
  return new Promise(() => {})
}
