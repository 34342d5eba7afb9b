import type { LeftOutPart } from "../document.ts"
import { addLoss } from "./paragraphs.ts"
import { parseXml, type XmlElement } from "./xml.ts"
import { unzipOnly } from "./zip.ts"

/** Reads the XML files of an archive whose directory was judged. */
export interface Parts {
  has(name: string): boolean
  /** Undefined where there is none. Throws for a broken one. */
  read(name: string): XmlElement | undefined
  /** A broken part costs that part alone. */
  readTolerantly(name: string): XmlElement | undefined
}

export function partReader(bytes: Uint8Array, names: ReadonlySet<string>, losses: LeftOutPart[]): Parts {
  /** Some programs refer to a part in another case, or write it with the separators of Windows. */
  const byLowerCase = new Map([...names].map((name) => [usualName(name), name]))
  return {
    has: (name) => byLowerCase.has(usualName(name)),
    read,
    readTolerantly(name) {
      try {
        return read(name)
      } catch {
        addLoss(losses, "unreadable", name)
        return undefined
      }
    },
  }

  function read(name: string): XmlElement | undefined {
    const entry = byLowerCase.get(usualName(name))
    const unpacked = entry === undefined ? undefined : unzipOnly(bytes, [entry])[entry]
    return unpacked && parseXml(unpacked)
  }
}

function usualName(name: string): string {
  return name.replaceAll("\\", "/").replace(/^\//, "").toLowerCase()
}
