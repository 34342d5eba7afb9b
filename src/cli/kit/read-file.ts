import { createReadStream } from "node:fs"
import { createInterface } from "node:readline/promises"
import { Writable } from "node:stream"
import { UsageError } from "../../base/errors.ts"
import { systemFailure } from "./system-failure.ts"

/** Reads a file that the command line names, or stdin for `-`. Throws UsageError for one that cannot be read. */
export async function readFile(path: string, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of path === "-" ? Bun.stdin.stream() : createReadStream(path)) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new UsageError(`${path} is longer than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
  } catch (error) {
    // Reading a folder fails without its path.
    const failure = systemFailure(Object.assign(error as Error, { path }))
    throw failure === undefined ? error : new UsageError(failure, { cause: error })
  }
  return Buffer.concat(chunks)
}

/** The same for a text. A byte order mark at its beginning is left out, as editors of Windows write it. */
export async function readText(path: string, maxBytes: number): Promise<string> {
  const bytes = await readFile(path, maxBytes)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch (error) {
    throw new UsageError(`${path} is not UTF-8: save it in that encoding`, { cause: error })
  }
}

/** By a prompt, or from the first line of stdin: every process of the machine may read arguments. */
export async function readSecret(name: string): Promise<string> {
  const { stdin, stderr } = process
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY === true })
  try {
    if (stdin.isTTY) stderr.write(`${name}: `)
    for await (const line of reader) return line
    throw new UsageError(`no ${name} was given`)
  } finally {
    if (stdin.isTTY) stderr.write("\n")
    reader.close()
  }
}
