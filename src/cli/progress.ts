import { say } from "./command.ts"

/** Shows how far long work has come, on stderr. */
export interface ProgressLine {
  show(doing: string, done: number, total: number | undefined): void
  /** Leaves a clean line for what is written next. */
  clear(): void
}

const barWidth = 24
const redrawMs = 100
const lineEveryMs = 5000

/** A bar that is drawn over on a terminal; elsewhere a plain line now and then. */
export function openProgress(stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  let shownAt = performance.now()
  const pauseMs = stream.isTTY ? redrawMs : lineEveryMs

  return {
    show(doing, done, total) {
      const finished = done === total
      if (!finished && performance.now() - shownAt < pauseMs) return
      shownAt = performance.now()
      if (stream.isTTY) stream.write(`\r\u001b[K${bar(done, total)}${doing} ${counted(done, total)}`)
      else say(`${doing} ${counted(done, total)}`)
    },
    clear() {
      if (stream.isTTY) stream.write("\r\u001b[K")
    },
  }
}

function bar(done: number, total: number | undefined): string {
  if (!total) return ""
  const full = Math.round((barWidth * Math.min(done, total)) / total)
  return `[${"#".repeat(full)}${"-".repeat(barWidth - full)}] `
}

function counted(done: number, total: number | undefined): string {
  return total === undefined ? String(done) : `${done} of ${total}`
}
