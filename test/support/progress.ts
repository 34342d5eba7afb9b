import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { relative, resolve } from "node:path"

const project = resolve(import.meta.dir, "../..")
const onTerminalMs = 1000
const elsewhereMs = 20_000

/** Notes that a worker is done with its file, for the process that shows the progress. */
export function noteFileDone(): void {
  const path = process.env["GUICHET_TEST_PROGRESS"]
  if (path) appendFileSync(path, `${relative(project, Bun.main)}\n`)
}

/**
 * Shows files done, failures so far and the time left, by the time that each file took in the last run: one line on a
 * terminal, a line every 20 s elsewhere. `path`: where workers note the files that they are done with. `files`: every
 * file of this run.
 */
export function showProgress(
  path: string,
  files: readonly string[],
  timings: string,
  failures: readonly string[],
) {
  writeFileSync(path, "")
  const { isTTY } = process.stderr
  const lastMs = existsSync(timings)
    ? (JSON.parse(readFileSync(timings, "utf8")) as { files: Record<string, number> }).files
    : {}
  const weight = (file: string) => lastMs[file] ?? 1000
  const whole = files.reduce((sum, file) => sum + weight(file), 0)
  const begun = performance.now()

  function line(): string {
    const done = readFileSync(path, "utf8").split("\n").slice(0, -1)
    const share = done.reduce((sum, file) => sum + weight(file), 0) / whole
    const leftMs = ((performance.now() - begun) / share) * (1 - share)
    const left = share > 0.02 ? `, about ${Math.ceil(Math.max(leftMs, 0) / 60_000)} min left` : ""
    return `${done.length} of ${files.length} files, ${failures.length} failed${left}`
  }

  const clear = () => void (isTTY && process.stderr.write("\r\x1b[K"))
  const timer = setInterval(
    () => {
      clear()
      process.stderr.write(isTTY ? line() : `${line()}\n`)
    },
    isTTY ? onTerminalMs : elsewhereMs,
  )
  return {
    path,
    clear,
    end() {
      clearInterval(timer)
      clear()
    },
  }
}
