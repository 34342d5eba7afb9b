import { parseArgs } from "node:util"
import { Refusal, UsageError } from "../base/errors.ts"
import { explainError } from "../db/sqlite/explain-error.ts"
import { inEnglish } from "../wording/english.ts"
import { type Command, type Environment, print, say } from "./command.ts"
import { commands } from "./commands.ts"

const done = 0
const failed = 1
const wrongUsage = 2

/** Runs the command named by the arguments and resolves to the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function runCommand(argv: string[], environment: Environment): Promise<number> {
  const { name, command, rest } = find(argv)
  if (!command) return helpWith(argv)
  if (rest.some(asksForHelp)) return describe(name, command)
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: command.options ?? {},
      allowPositionals: true,
      strict: true,
    })
    requireNoMore(command, name, positionals)
    return (await command.run({ positionals, options: values, environment })) ?? done
  } catch (error) {
    return report(explainError(error, "the database"), name)
  }
}

/** `project add` before `project`: the longest name that matches. */
function find(argv: string[]): { name: string; command: Command | undefined; rest: string[] } {
  const [first = "", ...others] = argv
  const called = first === "--version" ? ["version", ...others] : argv
  for (const words of [2, 1]) {
    const name = called.slice(0, words).join(" ")
    if (called.length >= words && Object.hasOwn(commands, name))
      return { name, command: commands[name], rest: called.slice(words) }
  }
  return { name: first, command: undefined, rest: [] }
}

function asksForHelp(word: string): boolean {
  return word === "--help" || word === "-h"
}

/** What there is, for words that call nothing: every command, or those that the first word begins. */
function helpWith([first = "", second]: string[]): number {
  if (first === "" || first === "help" || asksForHelp(first)) return help(done, Object.values(commands))
  const begun = Object.keys(commands).filter((name) => name.startsWith(`${first} `))
  const shown = begun.length > 0 ? begun.map((name) => commands[name] as Command) : Object.values(commands)
  if (begun.length > 0 && asksForHelp(second ?? "")) return help(done, shown)
  const words = begun.length > 0 && second !== undefined ? `${first} ${second}` : first
  say(`guichet: no command is named ${words}`)
  return help(wrongUsage, shown)
}

/**
 * Its usage names what a command takes, before its options. A word more is a mistake: `project remove` would
 * take the first for granted.
 */
function requireNoMore({ usage }: Command, name: string, positionals: string[]): void {
  const words = usage.slice(name.length).trim().split(" ")
  const options = words.findIndex((word) => !/^[A-Z]/.test(word))
  const extra = positionals[options === -1 ? words.length : options]
  if (extra === undefined) return
  throw new UsageError(
    `${JSON.stringify(extra)} is one argument too many (quote what holds spaces): guichet ${usage}`,
  )
}

function report(error: unknown, name: string): number {
  if (error instanceof UsageError || isArgumentError(error) || isOfWhatWasTyped(error)) {
    say(`guichet ${name}: ${messageOf(error as Error)}`)
    return wrongUsage
  }
  if (error instanceof Refusal || isFileError(error)) say(`guichet ${name}: ${messageOf(error as Error)}`)
  else say(`guichet ${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  return failed
}

function messageOf(error: Error): string {
  return error instanceof Refusal ? inEnglish(error.reason) : error.message
}

function isArgumentError(error: unknown): boolean {
  return String((error as { code?: string } | null)?.code).startsWith("ERR_PARSE_ARGS")
}

/**
 * A refusal that names fields names arguments of the command; but for a password, which is read when the
 * command was called rightly.
 */
function isOfWhatWasTyped(error: unknown): boolean {
  if (!(error instanceof Refusal) || error.code !== "invalid_request") return false
  return Object.keys(error.fields ?? {}).some((field) => field !== "password")
}

/** A file that cannot be read or written: the system's own words name it and say why. */
function isFileError(error: unknown): boolean {
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException
  return /^E[A-Z]+$/.test(String(code)) && path !== undefined
}

function help(exitCode: number, shown: readonly Command[]): number {
  const lines = shown.map((command) => `  ${command.usage}\n      ${command.about}`)
  const text = `usage: guichet <command>\n\n${lines.join("\n")}\n\nguichet <command> --help shows one of them, guichet config the settings in force.\nExit codes: 0 done, 1 failed, 2 wrong usage.`
  if (exitCode === done) print(text)
  else say(text)
  return exitCode
}

function describe(name: string, command: Command): number {
  print(`usage: guichet ${command.usage}\n\n${command.about}`)
  for (const option of Object.keys(command.options ?? {})) print(`  --${option}`)
  return name === "" ? wrongUsage : done
}
