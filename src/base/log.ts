import {
  configureSync,
  getJsonLinesFormatter,
  getLogger,
  type Logger,
  type LogLevel,
  type LogRecord,
} from "@logtape/logtape"
import { journalPrefixes } from "./journal.ts"
import { limitRepeats } from "./log-repeats.ts"

export type Log = Logger

/** The part of the log whose lines are all written, however often they come: fail2ban counts them. */
export const accessPart = "access"

/**
 * Logs one line of JSON per event to stderr; stdout is for the output of commands. Never log questions,
 * answers, form values, secrets, tokens or, outside `accessPart`, visitors' addresses. Warnings and errors that
 * repeat are summed up. `journalStream` is the variable JOURNAL_STREAM, where systemd set it.
 */
export function startLog(level: LogLevel, journalStream?: string): Log {
  // The reader of the log may close the pipe (EPIPE), which must not end the service.
  if (process.stderr.listenerCount("error") === 0) process.stderr.on("error", () => {})
  const format = getJsonLinesFormatter({ categorySeparator: ".", message: "template", properties: "flatten" })
  const prefix = journalPrefixes(journalStream)
  const every = (record: LogRecord) => void process.stderr.write(`${prefix(record.level)}${format(record)}`)
  configureSync({
    reset: true,
    sinks: { every, limited: limitRepeats(every) },
    loggers: [
      { category: "guichet", sinks: ["limited"], lowestLevel: level },
      { category: ["guichet", accessPart], sinks: ["every"], parentSinks: "override", lowestLevel: level },
      { category: ["logtape", "meta"], sinks: ["limited"], lowestLevel: "warning" },
    ],
  })
  return getLogger("guichet")
}
