import { type Judgement, openGuesses } from "../../accounts/passwords/guesses.ts"

/**
 * Runs in a process of ours that judges new passwords for another, which alone starts it: no command for people. Ends
 * with its parent only.
 */
export function answerParent(): Promise<never> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {})
  const isGuessable = openGuesses()
  process.on("message", (call: Judgement) => process.send?.(isGuessable(call)))
  process.on("disconnect", () => process.exit())
  return new Promise(() => {})
}
