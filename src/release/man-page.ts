interface CommandText {
  usage: string
  about: string
}

interface SettingText {
  name: string
  about: string
  initial: string
}

/** guichet(1): the commands and settings of the program, as it tells of them itself. */
export function manPage(
  commands: readonly CommandText[],
  settings: readonly SettingText[],
  version: string,
  day: string,
): string {
  const lines = [
    `.TH GUICHET 1 "${day}" "guichet ${version}" "User commands"`,
    ".SH NAME",
    "guichet \\- answers from a site's documentation, and its form responses as signed webhooks",
    ".SH SYNOPSIS",
    ".B guichet",
    ".I command",
    ".SH COMMANDS",
    "Each works beside the running service. On a machine where Guichet is installed as a service, run them as root: they go over to its",
    "account, and have its settings and secrets.",
    ".PP",
    ".B sudo guichet",
    ".I command",
    ...commands.flatMap(({ usage, about }) => [".TP", `.B ${text(usage)}`, text(about)]),
    ".SH ENVIRONMENT",
    "The service reads them from /etc/guichet/guichet.env; an empty one counts as absent.",
    ...settings.flatMap(({ name, about, initial }) => [
      ".TP",
      `.B ${text(name)}`,
      text(initial ? `${about} (${initial})` : about),
    ]),
    ".SH EXIT STATUS",
    "0: done; 1: failed; 2: wrong usage or a bad setting.",
    ".SH FILES",
    ".TP",
    ".B /etc/guichet/guichet.env",
    "settings of the service",
    ".TP",
    ".B /etc/guichet/credentials/",
    "secrets, a file each",
    ".TP",
    ".B /var/lib/guichet/",
    "database, index and key",
  ]
  return `${lines.join("\n")}\n`
}

/** A backslash, a hyphen and a dot at the start of a line mean something to troff. */
function text(plain: string): string {
  return plain
    .replace(/\\/g, "\\e")
    .replace(/-/g, "\\-")
    .replace(/(?<!\s)\s*\n\s*/g, " ")
    .replace(/^([.'])/, "\\&$1")
}
