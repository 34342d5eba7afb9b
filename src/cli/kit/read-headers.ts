import { tokenHeader } from "../../assistant/feeds/own-headers.ts"
import { feedChange } from "../../assistant/feeds/record.ts"
import { UsageError } from "../../base/errors.ts"
import { fieldsOf } from "../../http/record/fields.ts"
import { type GivenHeader, maxOwnHeaderBytes, maxOwnHeaders } from "../../http/record/own-headers.ts"

/** The headers in a file, or stdin for `-`: arguments are no place for secrets. Throws UsageError and Refusal. */
export async function readHeaders(file: string): Promise<GivenHeader[]> {
  const lines = (await textOf(file, "--headers")).split(/\r\n|[\r\n]/).filter((line) => line.trim() !== "")
  const headers = lines.map((line) => {
    const [name = "", ...rest] = line.split(":")
    return { name: name.trim(), value: rest.join(":").trim() }
  })
  return fieldsOf({ headers }, feedChange).headers ?? []
}

/** The same for the token of a repository: none in an empty file. */
export async function readToken(file: string): Promise<GivenHeader[]> {
  const token = (await textOf(file, "--token")).trim() || undefined
  fieldsOf({ token }, feedChange)
  return token === undefined ? [] : [tokenHeader(token)]
}

async function textOf(file: string, option: string): Promise<string> {
  const source = file === "-" ? Bun.stdin : Bun.file(file)
  if (file !== "-" && !(await source.exists())) throw new UsageError(`${option}: there is no file ${file}`)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of source.stream()) {
    bytes += chunk.length
    if (bytes > maxOwnHeaders * maxOwnHeaderBytes) throw new UsageError(`${option}: this is too long`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
