import { fieldsOf } from "../../http/record/fields.ts"
import { type GivenHeader, maxOwnHeaderBytes, maxOwnHeaders } from "../../http/record/own-headers.ts"
import { tokenHeader } from "../../reading/own-headers.ts"
import { feedChange } from "../../reading/record.ts"
import { readText } from "./read-file.ts"

const maxBytes = maxOwnHeaders * maxOwnHeaderBytes

/** The headers in a file, or stdin for `-`: arguments are no place for secrets. Throws UsageError and Refusal. */
export async function readHeaders(file: string): Promise<GivenHeader[]> {
  const lines = (await readText(file, maxBytes)).split(/\r\n|[\r\n]/).filter((line) => line.trim() !== "")
  const headers = lines.map((line) => {
    const [name = "", ...rest] = line.split(":")
    return { name: name.trim(), value: rest.join(":").trim() }
  })
  return fieldsOf({ headers }, feedChange).headers ?? []
}

/** The same for the token of a repository: none in an empty file. */
export async function readToken(file: string): Promise<GivenHeader[]> {
  const token = (await readText(file, maxBytes)).trim() || undefined
  fieldsOf({ token }, feedChange)
  return token === undefined ? [] : [tokenHeader(token)]
}
