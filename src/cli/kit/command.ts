import type { Environment } from "../../config/parse.ts"
import type { SendWrite } from "../../db/writes.ts"

/**
 * An option that a command declares. The usage line, `--help`, the manual page and the check of the typed
 * words are made from the declaration; no program reads a text that is meant for people.
 */
export interface Option {
  about: string
  /** Name of the value in capitals: `URL`. An option with neither `value` nor `choices` is a switch. */
  value?: string
  choices?: readonly string[]
  required?: true
  /** The option may be given several times; its values come as a list. */
  repeatable?: true
}

export type Options = Readonly<Record<string, Option>>

/** In the order in which they are typed, all required: name → part of a sentence for `--help`. */
export type Arguments = Readonly<Record<string, string>>

/** One more argument, which is typed once or more: `WORD…`. */
export interface RestArguments {
  name: string
  about: string
}

/** A command as `commands.ts` lists it. `defineCommand` makes one. */
export interface Command {
  about: string
  details?: string
  args: Arguments
  rest?: RestArguments
  options: Options
  run(call: Call): Promise<Outcome | undefined>
}

export interface Outcome {
  json?: object
  text?: string | readonly string[]
  /** Said on stderr without `--json`, a line each: before the text, and behind it. */
  remarks?: readonly string[]
  notes?: readonly string[]
  /** Exit code; none means 0. */
  code?: number
}

/** The words a command was called with, checked against its declaration, and the settings. */
export interface Call<Args extends Arguments = Arguments, Values = Record<string, OptionValue>> {
  args: { [Name in keyof Args]: string }
  /** Values of the argument `rest` of the declaration; empty where it has none. */
  rest: string[]
  options: Values
  environment: Environment
  /** The command's own, as it was typed. */
  name: string
  /** Every command by its name, for one that tells of all. */
  commands: Readonly<Record<string, Command>>
  /** Makes the command's writes; undefined where it writes by itself. */
  sendWrite?: SendWrite | undefined
}

export type OptionValue = string | boolean | string[] | undefined

export interface Declaration<Args extends Arguments, Declared extends Options>
  extends Omit<Command, "args" | "options" | "run"> {
  args?: Args
  options?: Declared
  run(call: Call<Args, ValuesOf<Declared>>): ReturnType<Command["run"]>
}

export type ValuesOf<Declared extends Options> = {
  [Name in keyof Declared]: Declared[Name] extends { required: true }
    ? GivenValue<Declared[Name]>
    : GivenValue<Declared[Name]> | undefined
}
type GivenValue<Declared extends Option> = Declared extends { repeatable: true }
  ? SingleValue<Declared>[]
  : SingleValue<Declared>
type SingleValue<Declared extends Option> = Declared extends { choices: readonly (infer Choice)[] }
  ? Choice
  : Declared extends { value: string }
    ? string
    : boolean

/** Gives `run` the types of the arguments and options that the command declares. */
export function defineCommand<
  const Args extends Arguments = Record<never, string>,
  const Declared extends Options = Record<never, Option>,
>(declaration: Declaration<Args, Declared>): Command {
  return { ...declaration, args: declaration.args ?? {}, options: declaration.options ?? {} }
}

export const json = { about: "prints one JSON object on stdout, for programs" } as const

/** Options of every command: shown form and part of a sentence. `--quiet` hides neither results nor errors. */
export const commonOptions = { "--quiet": "prints no notes and no progress", "--help, -h": "shows this" }
export const isQuiet = process.argv.includes("--quiet")

/** Writes to stdout: the result of a command, and nothing else. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function say(text: string): void {
  if (!isQuiet) complain(text)
}

export function complain(text: string): void {
  process.stderr.write(`${text}\n`)
}
