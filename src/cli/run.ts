import { Refusal, UsageError } from "../base/errors.ts"
import { errorLines } from "../base/journal.ts"
import { nearest } from "../base/near-words.ts"
import type { Environment } from "../config/parse.ts"
import { explainError as explainPostgres } from "../db/postgres/explain-error.ts"
import { explainError as explainSqlite } from "../db/sqlite/explain-error.ts"
import type { SendWrite } from "../db/writes.ts"
import { englishReason } from "../wording/english.ts"
import { commandGroups, commands } from "./commands.ts"
import { type Command, complain, type Outcome, print, say } from "./kit/command.ts"
import { commandHelp, overview } from "./kit/help.ts"
import { readCall } from "./kit/read-call.ts"
import { systemFailure } from "./kit/system-failure.ts"

const done = 0
const failed = 1
const wrongUsage = 2

/** Resolves to the exit code. With `sendWrite` the command only reads the database, and its writes go there. */
export async function runCommand(argv: string[], environment: Environment, sendWrite?: SendWrite) {
  const words = spelledOut(argv)
  const { name, command, rest } = findCommand(words)
  if (!command) return listCommands(words)
  if (rest.some(asksForHelp)) {
    print(commandHelp(name, command))
    return done
  }
  try {
    const call = readCall(name, command, rest)
    return finish(
      await command.run({ ...call, name, environment, commands, sendWrite }),
      call.options["json"] === true,
    )
  } catch (error) {
    return report(
      explainPostgres(explainSqlite(error, "the database")),
      name,
      rest.includes("--json"),
      environment,
    )
  }
}

/** Prints what a command found or did, and gives its exit code. */
function finish(outcome: Outcome = {}, asJson: boolean): number {
  const { json, remarks = [], text = [], notes = [], code = done } = outcome
  if (!asJson) {
    for (const remark of remarks) say(remark)
    for (const line of [text].flat()) print(line)
    for (const note of notes) say(note)
  } else if (json) print(JSON.stringify(json))
  return code
}

/** `version` for `--version`, `project add --help` for `help project add`. */
function spelledOut(argv: string[]): string[] {
  const [first = "", ...others] = argv
  if (first === "--version" || first === "-V") return ["version", ...others]
  return first === "help" && others.length > 0 ? [...others, "--help"] : argv
}

/** Takes the longest name that matches: `project add` before `project`. */
function findCommand(words: string[]): { name: string; command: Command | undefined; rest: string[] } {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(" ")
    if (words.length >= count && Object.hasOwn(commands, name))
      return { name, command: commands[name], rest: words.slice(count) }
  }
  return { name: words[0] ?? "", command: undefined, rest: [] }
}

function asksForHelp(word: string): boolean {
  return word === "--help" || word === "-h"
}

/** On request; after the first word of several (`project`), these alone. An unknown one is told in a line. */
function listCommands([first = "", second]: string[]): number {
  const group = Object.entries(commands).filter(([name]) => name.startsWith(`${first} `))
  if (
    first === "" ||
    first === "help" ||
    asksForHelp(first) ||
    (group.length > 0 && asksForHelp(second ?? ""))
  ) {
    print(overview(group.length > 0 ? { [`guichet ${first}`]: Object.fromEntries(group) } : commandGroups))
    return done
  }
  const typed = group.length > 0 && second !== undefined ? `${first} ${second}` : first
  const meant = meantCommand(first, second)
  const all = `guichet ${group.length > 0 ? `${first} ` : ""}--help`
  complain(
    `guichet: no command is named ${typed}: ${meant ? `did you mean guichet ${meant}? ` : ""}${all} lists those there are`,
  )
  return wrongUsage
}

/** Compares each word with those of its place: means `project list` by `projct lsit`, nothing by `endpoint add`. */
function meantCommand(first: string, second: string | undefined): string | undefined {
  const names = Object.keys(commands)
  const secondsOf = (group: string) =>
    names.flatMap((name) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []))
  const isGroup = secondsOf(first).length > 0
  const group = isGroup ? first : nearest(first, [...new Set(names.map((name) => name.replace(/ .*/, "")))])
  if (group === undefined || names.includes(group)) return group
  const meant = second && nearest(second, secondsOf(group))
  return meant ? `${group} ${meant}` : isGroup ? undefined : `${group} --help`
}

/** Prints an error and gives its exit code. Only a defect is printed with its stack. */
function report(error: unknown, name: string, asJson: boolean, environment: Environment): number {
  const text =
    error instanceof Refusal
      ? englishReason(error)
      : error instanceof UsageError
        ? error.message
        : error instanceof Error
          ? (systemFailure(error) ?? error.stack ?? error.message)
          : String(error)
  const isUsage = error instanceof UsageError || refusesArgument(error)
  const code = isUsage ? "usage" : error instanceof Refusal ? error.code : "failed"
  const line = asJson ? JSON.stringify({ error: { code, message: text } }) : `guichet ${name}: ${text}`
  complain(errorLines(line, environment["JOURNAL_STREAM"]))
  return isUsage ? wrongUsage : failed
}

/** A password does not stand on the command line: it is read after a correct call. */
function refusesArgument(error: unknown): boolean {
  if (!(error instanceof Refusal) || error.code !== "invalid_request") return false
  return Object.keys(error.fields ?? {}).some((field) => field !== "password")
}
