import type { Command, Option } from "./command.ts"

type Commands = Readonly<Record<string, Command>>

/** Scripts that make a shell complete commands, options and their choices, from the declared commands. */
export const completions = { bash, zsh, fish } satisfies Record<string, (commands: Commands) => string>
export type Shell = keyof typeof completions

function bash(commands: Commands): string {
  const cases = Object.entries(commands).flatMap(([name, { options }]) => [
    ...optionChoices(options).map(
      ([option, choices]) => `    "${name}/--${option}") words="${choices.join(" ")}" ;;`,
    ),
    `    "${name}/"*) words="${optionNames(options).join(" ")}" ;;`,
  ])
  return `# bash completion for guichet
_guichet() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" words="" name
  name="\${COMP_WORDS[1]}"
  [ "$COMP_CWORD" -gt 2 ] && case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
    ${twoWordNames(commands)
      .map((pair) => `"${pair}"`)
      .join(" | ")}) name="\${COMP_WORDS[1]} \${COMP_WORDS[2]}" ;;
  esac
  case "$COMP_CWORD/$name/$previous" in
    1/*) words="${firstWords(commands).join(" ")}" ;;
${[...commandGroups(commands)].map(([group, seconds]) => `    2/${group}/*) words="${seconds.join(" ")}" ;;`).join("\n")}
  esac
  [ -z "$words" ] && case "$name/$previous" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _guichet guichet
`
}

function zsh(commands: Commands): string {
  const described = (rows: [string, string][]) =>
    rows.map(([word, about]) => quoted(`${word.replaceAll(":", "\\:")}:${about}`)).join(" ")
  const cases = Object.entries(commands).flatMap(([name, { options }]) => [
    ...optionChoices(options).map(
      ([option, choices]) => `    ${quoted(`${name}/--${option}`)}) compadd ${choices.join(" ")} ;;`,
    ),
    `    ${quoted(`${name}/`)}*) list=(${described(Object.entries(options).map(([option, { about }]) => [`--${option}`, about]))}); _describe option list; _files ;;`,
  ])
  return `#compdef guichet
_guichet() {
  local name="\${words[2]}" previous="\${words[CURRENT - 1]}"
  local -a list
  case "\${words[2]} \${words[3]}" in
    ${twoWordNames(commands).map(quoted).join(" | ")}) (( CURRENT > 3 )) && name="\${words[2]} \${words[3]}" ;;
  esac
  case "$CURRENT/$name" in
    2/*) list=(${described(firstWords(commands).map((word) => [word, commands[word]?.about ?? "…"]))}); _describe command list; return ;;
${[...commandGroups(commands)]
  .map(
    ([group, seconds]) =>
      `    3/${group}) list=(${described(seconds.map((second) => [second, commands[`${group} ${second}`]?.about ?? ""]))}); _describe command list; return ;;`,
  )
  .join("\n")}
  esac
  case "$name/$previous" in
${cases.join("\n")}
  esac
}
_guichet "$@"
`
}

function fish(commands: Commands): string {
  const lines = ["# fish completion for guichet", "complete -c guichet -n __fish_use_subcommand -f"]
  for (const word of firstWords(commands))
    lines.push(
      `complete -c guichet -n __fish_use_subcommand -a ${word} -d ${quoted(commands[word]?.about ?? "…")}`,
    )
  for (const [group, seconds] of commandGroups(commands))
    for (const second of seconds)
      lines.push(
        `complete -c guichet -f -n '__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${seconds.join(" ")}' -a ${second} -d ${quoted(commands[`${group} ${second}`]?.about ?? "")}`,
      )
  for (const [name, { options }] of Object.entries(commands)) {
    const seen = name
      .split(" ")
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join("; and ")
    for (const [option, { about, value, choices }] of Object.entries(options))
      lines.push(
        `complete -c guichet -n '${seen}' -l ${option}${choices ? ` -x -a ${quoted(choices.join(" "))}` : value ? " -r" : ""} -d ${quoted(about)}`,
      )
  }
  return `${lines.join("\n")}\n`
}

/** `project` with `add`, `list`, … */
function commandGroups(commands: Commands): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const pair of twoWordNames(commands)) {
    const [group = "", second = ""] = pair.split(" ")
    groups.getOrInsert(group, []).push(second)
  }
  return groups
}

function twoWordNames(commands: Commands): string[] {
  return Object.keys(commands).filter((name) => name.includes(" "))
}

function firstWords(commands: Commands): string[] {
  return [...new Set([...Object.keys(commands).map((name) => name.split(" ")[0] as string), "help"])]
}

function optionNames(options: Readonly<Record<string, Option>>): string[] {
  return [...Object.keys(options), "quiet", "help"].map((option) => `--${option}`)
}

function optionChoices(
  options: Readonly<Record<string, Option>>,
): [option: string, choices: readonly string[]][] {
  return Object.entries(options).flatMap(([option, { choices }]) => (choices ? [[option, choices]] : []))
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
