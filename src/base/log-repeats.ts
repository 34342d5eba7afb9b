import { minuteMs } from "./clock.ts"

/** Tells one event from the next of the same kind: left out where warnings and errors are compared. */
const ownProperties = new Set(["requestId", "ms", "milliseconds", "path"])
/** Kinds that are counted at once; any more are written as they come. */
const maxKinds = 1000
const maxKindLength = 4000

interface Line {
  level: string
  category: readonly string[]
  rawMessage: string | TemplateStringsArray
  properties: Record<string, unknown>
}

interface Repeated<Record> {
  last: Record
  times: number
  timer: NodeJS.Timeout
}

/**
 * Writes a warning or an error at once, counts its repetitions within the next minute, and then writes one line for
 * all of them, with their number as `repeated`. Disposing of it writes those lines at once.
 */
export function limitRepeats<Record extends Line>(
  write: (record: Record) => void,
): ((record: Record) => void) & Disposable {
  const kinds = new Map<string, Repeated<Record>>()

  function sumUp(kind: string): void {
    const repeated = kinds.get(kind)
    kinds.delete(kind)
    if (!repeated) return
    clearTimeout(repeated.timer)
    if (repeated.times === 0) return
    const shared = Object.entries(repeated.last.properties).filter(([name]) => !ownProperties.has(name))
    const properties = { ...Object.fromEntries(shared), repeated: repeated.times }
    write({ ...repeated.last, properties })
  }

  return Object.assign(
    (record: Record) => {
      if (record.level !== "warning" && record.level !== "error") return write(record)
      const kind = repeatKey(record)
      const repeated = kinds.get(kind)
      if (repeated) {
        repeated.times++
        repeated.last = record
        return undefined
      }
      if (kinds.size < maxKinds)
        kinds.set(kind, { last: record, times: 0, timer: setTimeout(sumUp, minuteMs, kind).unref() })
      return write(record)
    },
    {
      [Symbol.dispose]() {
        for (const kind of [...kinds.keys()]) sumUp(kind)
      },
    },
  )
}

function repeatKey({ level, category, rawMessage, properties }: Line): string {
  const shared = JSON.stringify(properties, (name, value) => {
    if (ownProperties.has(name)) return undefined
    if (value instanceof Error) return errorKey(value)
    return typeof value === "string" ? toFirstFrame(value) : value
  })
  return `${level} ${category.join(".")} ${String(rawMessage)} ${shared}`.slice(0, maxKindLength)
}

function errorKey(error: Error): string {
  return `${error.name} ${String((error as NodeJS.ErrnoException).code)} ${error.message} ${toFirstFrame(error.stack ?? "")}`
}

/** The other frames only tell by which way a defect came. */
function toFirstFrame(text: string): string {
  const frame = /\n[^\S\n]+at .*/.exec(text)
  return frame ? text.slice(0, frame.index + frame[0].length) : text
}
