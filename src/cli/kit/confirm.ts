import { createInterface } from "node:readline/promises"
import { UsageError } from "../../base/errors.ts"
import { complain } from "./command.ts"

/** Options of a command that removes something for good. */
export const removal = {
  yes: { about: "does it without asking" },
  "dry-run": { about: "tells what would go, and removes nothing" },
} as const

/** `--yes` answers it. Throws UsageError without a terminal: a script removes nothing by mistake. */
export async function confirmed(what: string, { yes }: { yes?: boolean | undefined }): Promise<boolean> {
  if (yes) return true
  if (!process.stdin.isTTY) throw new UsageError(`${what}: nothing was removed; --yes does it without asking`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    if (/^y(es)?$/i.test((await terminal.question(`${what}? [y/N] `)).trim())) return true
  } finally {
    terminal.close()
  }
  complain("nothing was removed")
  return false
}
