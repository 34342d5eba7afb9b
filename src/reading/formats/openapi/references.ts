import { posix } from "node:path"
import { decodedUri } from "../../../base/text.ts"
import { decodeText } from "../../../outbound/charset.ts"
import { pageLimits } from "../page-limits.ts"

/** Files that one description may consist of, and their characters together. */
const most = { files: 200, characters: pageLimits.characters }

const reference = /\$ref["']?\s{0,20}:\s{0,20}(?:"([^"\n]{1,500})"|'([^'\n]{1,500})'|([^\s"',{}[\]]{1,500}))/g

/**
 * The texts of the files that a description of an interface refers to, directly or by others, by their paths. `read`
 * resolves to a file's content; undefined where there is none.
 */
export async function referencedFiles(
  name: string,
  content: Uint8Array,
  read: (path: string) => Promise<Uint8Array | undefined>,
): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  if (!/\.(?:json|ya?ml)$/i.test(name) || content.length > most.characters) return files
  const waiting = [{ path: name, text: decodeText(content, "") }]
  if (!/\b(?:openapi|swagger)\b/.test(waiting[0]?.text ?? "")) return files
  const tried = new Set([name])
  let characters = 0
  for (let file = waiting.shift(); file; file = waiting.shift())
    for (const [, ...spelled] of file.text.matchAll(reference)) {
      const path = fileOfReference(spelled.find((each) => each !== undefined) ?? "", file.path)
      if (path === undefined || tried.has(path) || tried.size > most.files) continue
      tried.add(path)
      const other = await read(path)
      characters += other?.length ?? 0
      if (!other || characters > most.characters) continue
      const text = decodeText(other, "")
      files[path] = text
      waiting.push({ path, text })
    }
  return files
}

/** The path of the file that a relative reference names; undefined for one that leads elsewhere. */
export function fileOfReference(reference: string, from: string): string | undefined {
  const [file = ""] = reference.replaceAll("\\/", "/").split("#")
  if (file === "" || /^(?:[a-z][a-z\d+.-]*:|\/)/i.test(file)) return undefined
  const path = posix.join(posix.dirname(from), decodedUri(file))
  return path.startsWith("../") ? undefined : path
}
