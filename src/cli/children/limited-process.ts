/** For a parent process of this program, which sends hostile text to parse. */
export function parseForParent(): Promise<never> {
  return answerParent(async () => (await import("../../reading/parser.ts")).answerParserCall)
}

/** For a parent process of this program, where somebody chooses a password. */
export function judgePasswordsForParent(): Promise<never> {
  return answerParent(async () => (await import("../../accounts/passwords/guesses.ts")).openGuesses())
}

/**
 * Answers each message of the parent by one (`host/limited-worker.ts`): no command for people. Ends with its parent
 * only: Ctrl-C at the terminal reaches both, and the parent decides what becomes of it.
 */
function answerParent<Call>(load: () => Promise<(call: Call) => unknown>): Promise<never> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {})
  const loaded = load()
  process.on("message", async (call: Call) => process.send?.(await (await loaded)(call)))
  process.on("disconnect", () => process.exit())
  return new Promise(() => {})
}
