import { posix } from "node:path"
import type { Parts } from "../parts.ts"
import { isElement, type XmlElement } from "../xml.ts"

/** A part of a Word document, with the places that its relationships name. */
export interface Part {
  root: XmlElement | undefined
  relationships: Relationship[]
}

interface Relationship {
  id: string
  /** Without the beginning that it has in every file: `footnotes`. */
  type: string
  /** The name of a part, or an address outside. */
  target: string
  isOutside: boolean
}

/** The part that the package calls its document, whatever its name. */
export function readMainPart(parts: Parts): Part {
  const named = relationshipsOf("", parts).find(({ type }) => type === "officeDocument")?.target
  const name = named !== undefined && parts.has(named) ? named : "word/document.xml"
  return { root: parts.read(name), relationships: relationshipsOf(name, parts) }
}

/** The parts of a type that a part refers to, at most this many; a broken one is empty. */
export function relatedParts(part: Part, type: RegExp, most: number, parts: Parts): Part[] {
  return part.relationships
    .filter((one) => type.test(one.type) && !one.isOutside && parts.has(one.target))
    .slice(0, most)
    .map(({ target }) => ({
      root: parts.readTolerantly(target),
      relationships: relationshipsOf(target, parts),
    }))
}

const maxRelationships = 20_000

function relationshipsOf(name: string, parts: Parts): Relationship[] {
  const root = parts.readTolerantly(posix.join(posix.dirname(name), "_rels", `${posix.basename(name)}.rels`))
  const [list] = root?.children.filter(isElement) ?? []
  return (list?.children.filter(isElement).slice(0, maxRelationships) ?? []).map(({ attributes }) => {
    const { Id = "", Type = "", Target = "", TargetMode } = attributes
    const isOutside = TargetMode === "External"
    return {
      id: Id,
      type: Type.slice(Type.lastIndexOf("/") + 1),
      target: isOutside ? Target : posix.join("/", posix.dirname(name), Target).slice(1),
      isOutside,
    }
  })
}
