import { configureSync, getJsonLinesFormatter, getLogger, type Logger, type LogLevel } from "@logtape/logtape"

export type Log = Logger

/**
 * One line of JSON an event, on stderr: stdout belongs to what a command answers.
 * Never logged: questions, answers, form values, secrets, tokens, addresses of visitors.
 */
export function startLog(level: LogLevel): Log {
  // Whoever reads the log may go away: that must not end the service.
  if (process.stderr.listenerCount("error") === 0) process.stderr.on("error", () => {})
  const format = getJsonLinesFormatter({ categorySeparator: ".", message: "template", properties: "flatten" })
  configureSync({
    reset: true,
    sinks: { stderr: (record) => void process.stderr.write(format(record)) },
    loggers: [
      { category: "guichet", sinks: ["stderr"], lowestLevel: level },
      { category: ["logtape", "meta"], sinks: ["stderr"], lowestLevel: "warning" },
    ],
  })
  return getLogger("guichet")
}
