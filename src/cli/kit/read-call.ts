import { parseArgs } from "node:util"
import { UsageError } from "../../base/errors.ts"
import { nearest } from "../../base/near-words.ts"
import type { Call, Command, Option, OptionValue } from "./command.ts"
import { argumentShown, optionShown, usageLine } from "./help.ts"

/** By the command's declaration. Throws a UsageError that says what to do about the word at fault. */
export function readCall(
  name: string,
  command: Command,
  argv: string[],
): Pick<Call, "args" | "rest" | "options"> {
  const { tokens } = parseArgs({
    args: argv,
    options: Object.fromEntries(
      Object.entries(command.options).map(([option, declared]) => [
        option,
        { type: takesValue(declared) ? ("string" as const) : ("boolean" as const) },
      ]),
    ),
    allowPositionals: true,
    // Not strict: the library's own errors do not name the command.
    strict: false,
    tokens: true,
  })
  const positionals: string[] = []
  const options: Record<string, OptionValue> = {}
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value)
    if (token.kind !== "option" || token.rawName === "--quiet") continue
    const declared = Object.hasOwn(command.options, token.name) ? command.options[token.name] : undefined
    if (!declared || !token.rawName.startsWith("--")) {
      const meant = nearest(token.name, Object.keys(command.options))
      throw new UsageError(
        `${token.rawName} is no option${meant ? ` (did you mean --${meant}?)` : ""}: guichet ${name} --help explains those there are; an argument that begins with a hyphen goes behind --`,
      )
    }
    const value = optionValue(token, declared)
    const earlier = options[token.name]
    options[token.name] = declared.repeatable
      ? [...(Array.isArray(earlier) ? earlier : []), String(value)]
      : value
  }
  const positional = readArguments(name, command, positionals)
  requireOptions(name, command, options)
  return { ...positional, options }
}

interface OptionToken {
  name: string
  rawName: string
  value?: string | undefined
  /** Whether the value was typed as `--name=value`. */
  inlineValue?: boolean | undefined
}

function optionValue({ name, rawName, value, inlineValue }: OptionToken, declared: Option): string | boolean {
  if (!takesValue(declared)) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`)
    return true
  }
  // A word that begins with a hyphen is the next option, whose value was forgotten. `--name=-5` is a value.
  if (value === undefined || (!inlineValue && /^-./.test(value)))
    throw new UsageError(`${rawName} needs a value: ${optionShown(name, declared)}`)
  if (declared.choices && !declared.choices.includes(value))
    throw new UsageError(`${rawName} is one of ${declared.choices.join(", ")}, not ${value}`)
  return value
}

function takesValue({ value, choices }: Option): boolean {
  return value !== undefined || choices !== undefined
}

function requireOptions(name: string, command: Command, options: Record<string, OptionValue>): void {
  const missing = Object.entries(command.options).filter(
    ([option, { required }]) => required && isEmpty(options[option]),
  )
  if (missing.length === 0) return
  const named = missing.map(([option]) => `--${option}`).join(" and ")
  throw new UsageError(
    `${named} ${missing.length > 1 ? "are" : "is"} needed: guichet ${usageLine(name, command)}`,
  )
}

function readArguments(
  name: string,
  command: Command,
  positionals: string[],
): { args: Record<string, string>; rest: string[] } {
  const declared = Object.entries(command.args)
  const rest = positionals.slice(declared.length)
  const [extra] = rest
  if (extra !== undefined && !command.rest)
    throw new UsageError(
      `${JSON.stringify(extra)} is one argument too many (quote what holds spaces): guichet ${usageLine(name, command)}`,
    )
  const missing = (argument: string, about: string) =>
    new UsageError(
      `which ${argument}? ${argumentShown(argument)} is the ${about}: guichet ${usageLine(name, command)}`,
    )
  const args = Object.fromEntries(
    declared.map(([argument, about], place) => {
      const value = positionals[place]
      if (value === undefined || isEmpty(value)) throw missing(argument, about)
      return [argument, value]
    }),
  )
  if (command.rest && rest.length === 0) throw missing(command.rest.name, command.rest.about)
  return { args, rest }
}

function isEmpty(value: OptionValue): boolean {
  return value === undefined || (typeof value === "string" && value.trim() === "")
}
