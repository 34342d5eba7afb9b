import { answerParserCall, type ParserCall } from "../../assistant/feeds/parser.ts"

/**
 * Serves a parent process of this program, which sends it hostile text to parse: no command for people. Ends
 * with its parent only: Ctrl-C at the terminal reaches both, and the parent decides what becomes of it.
 */
export function answerParent(): Promise<never> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {})
  process.on("message", async (call: ParserCall) => process.send?.(await answerParserCall(call)))
  process.on("disconnect", () => process.exit())
  return new Promise(() => {})
}
