import type { ParseArgsConfig } from "node:util"

export type Environment = Record<string, string | undefined>

/** What a command was called with. */
export interface Call {
  positionals: string[]
  options: Record<string, string | boolean | (string | boolean)[] | undefined>
  environment: Environment
}

export interface Command {
  /**
   * `ask PROJECT QUESTION [--json]`: what follows the program's name, arguments in capitals before the
   * options.
   */
  usage: string
  about: string
  options?: ParseArgsConfig["options"]
  /** Resolves to the exit code; none means 0. */
  run(call: Call): Promise<number | undefined>
}

/** To stdout: what was asked for. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** To stderr: everything else. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
