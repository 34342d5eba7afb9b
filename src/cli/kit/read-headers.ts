import { feedChange } from "../../assistant/feeds/record.ts"
import { UsageError } from "../../base/errors.ts"
import { fieldsOf } from "../../http/record/fields.ts"
import { type GivenHeader, maxOwnHeaderBytes, maxOwnHeaders } from "../../http/record/own-headers.ts"

/** The headers in a file, or stdin for `-`: arguments are no place for secrets. Throws UsageError and Refusal. */
export async function readHeaders(file: string): Promise<GivenHeader[]> {
  const source = file === "-" ? Bun.stdin : Bun.file(file)
  if (file !== "-" && !(await source.exists())) throw new UsageError(`--headers: there is no file ${file}`)
  const lines = (await textOf(source)).split(/\r\n|[\r\n]/).filter((line) => line.trim() !== "")
  const headers = lines.map((line) => {
    const [name = "", ...rest] = line.split(":")
    return { name: name.trim(), value: rest.join(":").trim() }
  })
  return fieldsOf({ headers }, feedChange).headers ?? []
}

async function textOf(source: Bun.BunFile): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of source.stream()) {
    bytes += chunk.length
    if (bytes > maxOwnHeaders * maxOwnHeaderBytes) throw new UsageError("--headers: these are too long")
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
