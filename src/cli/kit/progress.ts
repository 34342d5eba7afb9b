import { isQuiet, say } from "./command.ts"

export interface ProgressLine {
  show(label: string, done: number, total: number | undefined): void
  clear(): void
}

const barWidth = 24
const redrawMs = 100
const lineEveryMs = 5000

/** Redraws a bar on a terminal; elsewhere prints a plain line from time to time. */
export function openProgress(stream: NodeJS.WriteStream = process.stderr): ProgressLine {
  let shownAt = performance.now()
  const pauseMs = stream.isTTY ? redrawMs : lineEveryMs

  return {
    show(label, done, total) {
      if (isQuiet) return
      const finished = done === total
      if (!finished && performance.now() - shownAt < pauseMs) return
      shownAt = performance.now()
      if (stream.isTTY) stream.write(`\r\u001b[K${bar(done, total)}${label} ${counted(done, total)}`)
      else say(`${label} ${counted(done, total)}`)
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
