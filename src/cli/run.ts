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
  const { name, command, rest } = findCommand(argv)
  if (!command) return listCommands(argv)
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

/** Takes the longest name that matches: `project add` before `project`. */
function findCommand(argv: string[]): { name: string; command: Command | undefined; rest: string[] } {
  const [first = "", ...others] = argv
  const words =
    first === "--version" || first === "-V"
      ? ["version", ...others]
      : first === "help" && others.length > 0
        ? [...others, "--help"]
        : argv
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(" ")
    if (words.length >= count && Object.hasOwn(commands, name))
      return { name, command: commands[name], rest: words.slice(count) }
  }
  return { name: first, command: undefined, rest: [] }
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
  const both = second === undefined ? first : `${first} ${second}`
  const typed = group.length > 0 ? both : first
  const names = Object.keys(commands)
  const firstWords = [...new Set(names.map((name) => name.split(" ")[0] as string))]
  const meant = nearest(typed, names) ?? nearest(both, names) ?? nearestGroup(first, firstWords)
  const all = `guichet ${group.length > 0 ? `${first} ` : ""}--help`
  complain(
    `guichet: no command is named ${typed}: ${meant ? `did you mean guichet ${meant}? ` : ""}${all} lists those there are`,
  )
  return wrongUsage
}

/** `project --help` for `projet`, whatever stands behind it. */
function nearestGroup(first: string, firstWords: readonly string[]): string | undefined {
  const meant = firstWords.includes(first) ? undefined : nearest(first, firstWords)
  return meant && `${meant} --help`
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
