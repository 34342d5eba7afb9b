import { toUnicodeForm } from "../../base/text.ts"
import type { FileType } from "./file-kind.ts"

/** Without the ending. File systems take 255 bytes of a whole name. */
const maxStem = { characters: 100, bytes: 200 }
const maxEnding = 10
/** A name that is longer is cut before it is looked at. */
const maxRaw = 1000

/** Names that Windows keeps for devices, whatever follows them. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/**
 * A name under which a file can be kept on any system, with an ending of its type where that is known: no folder,
 * nothing invisible, and nothing that turns the writing around, such as what makes `gpj.exe` of `exe.jpg`.
 */
export function cleanFileName(name: string, type: Pick<FileType, "endings"> | undefined): string {
  const last = name.slice(-maxRaw).split(/[/\\]/).at(-1) ?? ""
  const visible = toUnicodeForm(last.toWellFormed(), "NFC").replace(/[\p{C}\p{Zl}\p{Zp}<>:"|?*]+/gu, "")
  const line = visible.replace(/\s+/g, " ").replace(/^[. ]+|(?<![. ])[. ]+$/g, "")
  const dot = line.lastIndexOf(".")
  const typedEnding = dot === -1 ? "" : line.slice(dot + 1).toLowerCase()
  const ending = !type || type.endings.includes(typedEnding) ? typedEnding : type.endings[0]
  const stem = (ending === typedEnding && dot !== -1 ? line.slice(0, dot) : line).replace(devices, "_$&")
  const begin = Buffer.from([...stem].slice(0, maxStem.characters).join("")).subarray(0, maxStem.bytes)
  // As a stream, which leaves out a character that is cut.
  const shortStem = new TextDecoder().decode(begin, { stream: true }).trim() || "fichier"
  return ending ? `${shortStem}.${ending.slice(0, maxEnding)}` : shortStem
}
