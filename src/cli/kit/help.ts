import { type Command, commonOptions, type Option } from "./command.ts"

const lineWidth = 100

/** `ask PROJECT QUESTION [--page PATH] [--previous ID]… [--json]`: a call of the command, after `guichet`. */
export function usageLine(name: string, command: Command): string {
  return usageParts(name, command).join(" ")
}

function usageParts(name: string, { args, rest, options }: Command): string[] {
  return [
    name,
    ...Object.keys(args).map(argumentShown),
    ...(rest ? [`${argumentShown(rest.name)}…`] : []),
    ...Object.entries(options).map(([optionName, option]) => {
      const text = optionShown(optionName, option)
      return `${option.required ? text : `[${text}]`}${option.repeatable ? "…" : ""}`
    }),
  ]
}

/** More choices than that stand in the explanation instead of the usage line. */
const mostShownChoices = 6

export function argumentShown(argument: string): string {
  return argument.toUpperCase()
}

/** `--page PATH`, `--assistant on|off`, `--json`. */
export function optionShown(name: string, { value, choices }: Option): string {
  const shownValue = value ?? (choices && choices.length > mostShownChoices ? "NAME" : choices?.join("|"))
  return shownValue === undefined ? `--${name}` : `--${name} ${shownValue}`
}

/** Every argument and option of a command, each with its sentence. */
export function explanations({ args, rest, options }: Command): [shown: string, about: string][] {
  return [
    ...[...Object.entries(args), ...(rest ? [[rest.name, rest.about] as const] : [])].map(
      ([name, about]): [string, string] => [argumentShown(name), about],
    ),
    ...Object.entries(options).map(([name, option]): [string, string] => [
      optionShown(name, option),
      [
        option.about,
        ...(option.choices && option.choices.length > mostShownChoices
          ? [`one of ${option.choices.join(", ")}`]
          : []),
        ...(option.repeatable ? ["may be given several times"] : []),
      ].join("; "),
    ]),
  ]
}

export function commandHelp(name: string, command: Command): string {
  return [
    wrap(["usage: guichet", ...usageParts(name, command)], "    "),
    wrap(description(command).split(" ")),
    table([...explanations(command), ...Object.entries(commonOptions)]),
  ].join("\n\n")
}

/** A command's purpose in whole sentences. */
export function description({ about, details }: Command): string {
  const sentence = `${about.charAt(0).toUpperCase()}${about.slice(1)}.`
  return details ? `${sentence} ${details}` : sentence
}

/** The answer to `guichet --help`: a line for each command, under what it is for. */
export function overview(groups: Readonly<Record<string, Readonly<Record<string, Command>>>>): string {
  const width = columnOf(Object.values(groups).flatMap((commands) => Object.keys(commands)))
  const lines = (commands: Readonly<Record<string, Command>>) =>
    table(
      Object.entries(commands).map(([name, { about }]) => [name, about]),
      width,
    )
  return [
    "usage: guichet COMMAND",
    ...Object.entries(groups).map(([title, commands]) => `${title}:\n${lines(commands)}`),
    "guichet COMMAND --help explains its arguments and options.\nguichet config shows the settings in force.\nExit codes: 0 done, 1 failed, 2 wrong usage.",
  ].join("\n\n")
}

function columnOf(shown: readonly string[]): number {
  return Math.max(...shown.map(({ length }) => length)) + 2
}

function table(
  rows: readonly (readonly [string, string])[],
  width = columnOf(rows.map(([shown]) => shown)),
): string {
  return rows
    .map(([shown, about]) => {
      const [first = "", ...others] = about.split(" ")
      return wrap([`  ${shown.padEnd(width)}${first}`, ...others], " ".repeat(width + 2))
    })
    .join("\n")
}

/** Joins words into lines of at most `lineWidth`. Every line but the first begins with `indent`. */
function wrap(words: readonly string[], indent = ""): string {
  const lines: string[] = []
  for (const word of words) {
    const line = lines.at(-1)
    if (line === undefined) lines.push(word)
    else if (line.length + 1 + word.length > lineWidth) lines.push(`${indent}${word}`)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join("\n")
}
