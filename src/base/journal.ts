import { fstatSync } from "node:fs"

/** Syslog's priorities of the levels of the log. */
const priorities = { debug: 7, info: 6, warning: 4, error: 3, fatal: 2 }

/**
 * The beginning of each line on stderr where systemd's journal reads it, so that `journalctl -p warning` finds it;
 * empty elsewhere. `journalStream` is the variable JOURNAL_STREAM: a child process inherits it too, so its device and
 * inode are compared with those of stderr (sd-daemon(3), systemd.exec(5)).
 */
export function journalPrefixes(journalStream: string | undefined): (level: string) => string {
  if (!isStderr(journalStream)) return () => ""
  return (level) => `<${priorities[level as keyof typeof priorities] ?? priorities.debug}>`
}

function isStderr(journalStream: string | undefined): boolean {
  if (!journalStream) return false
  try {
    const { dev, ino } = fstatSync(process.stderr.fd, { bigint: true })
    return journalStream === `${dev}:${ino}`
  } catch {
    return false
  }
}

/** An error for stderr as the journal takes it: each of its lines has a priority of its own. */
export function errorLines(text: string, journalStream: string | undefined): string {
  return text.replace(/^/gm, journalPrefixes(journalStream)("error"))
}
