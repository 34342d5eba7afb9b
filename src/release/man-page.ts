import type { Command } from "../cli/kit/command.ts"
import { description, explanations, usageLine } from "../cli/kit/help.ts"
import type { Setting } from "../config/parse.ts"

/** The manual page guichet(1), made from the declarations of commands and settings. */
export function manPage(
  commands: Readonly<Record<string, Command>>,
  settings: readonly Setting[],
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
    ...Object.entries(commands).flatMap(([name, command]) => commandLines(name, command)),
    ".SH ENVIRONMENT",
    "The service reads them from /etc/guichet/guichet.env; an empty one counts as absent.",
    ...settings.flatMap(({ name, about, initial }) => entry(name, initial ? `${about} (${initial})` : about)),
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

function commandLines(name: string, command: Command): string[] {
  const explained = explanations(command).flatMap((row) => entry(...row))
  return [
    ...entry(usageLine(name, command), description(command)),
    ...(explained.length > 0 ? [".RS", ...explained, ".RE"] : []),
  ]
}

function entry(tag: string, paragraph: string): string[] {
  return [".TP", `.B ${text(tag)}`, text(paragraph)]
}

/** Escapes the characters with a meaning for troff: backslash, hyphen, and a dot that begins a line. */
function text(plain: string): string {
  return plain
    .replace(/\\/g, "\\e")
    .replace(/-/g, "\\-")
    .replace(/(?<!\s)\s*\n\s*/g, " ")
    .replace(/^([.'])/, "\\&$1")
}
