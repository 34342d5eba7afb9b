import { configureSync, getJsonLinesFormatter, getLogger, type Logger, type LogLevel } from "@logtape/logtape"

export type Log = Logger

/**
 * Logs one line of JSON per event to stderr; stdout is for the output of commands. Never log questions,
 * answers, form values, secrets, tokens or visitors' addresses.
 */
export function startLog(level: LogLevel): Log {
  // The reader of the log may close the pipe (EPIPE), which must not end the service.
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
