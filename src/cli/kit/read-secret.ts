import { createInterface } from "node:readline/promises"
import { Writable } from "node:stream"
import { UsageError } from "../../base/errors.ts"

/**
 * Reads a secret from a prompt that echoes nothing, or from the first line of stdin. Arguments are no place for it:
 * every process of the machine may read them. `name`: what is asked for.
 */
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
