import { type ChildNode, isTag, isText } from "domhandler"
import type { LeftOutPart, PartReason } from "../document.ts"
import type { Judgement } from "./boilerplate.ts"
import { silentTags } from "./hidden.ts"
import { isPhrasing } from "./inline.ts"

const maxParts = 60
const maxCharacters = 300

/** The parts of a page that are not read, in reading order. `roots`: the elements that hold its text. */
export function leftOutParts(nodes: ChildNode[], roots: ChildNode[], { reasonOf }: Judgement): LeftOutPart[] {
  const inside = new Set(roots)
  const holders = new Set<ChildNode>()
  for (const root of roots)
    for (let { parent } = root; parent && isTag(parent) && !holders.has(parent); parent = parent.parent)
      holders.add(parent)
  const parts: LeftOutPart[] = []

  function visit(node: ChildNode, isInside: boolean): void {
    if (parts.length >= maxParts) return
    const within = isInside || inside.has(node)
    if (!isTag(node)) {
      if (isText(node) && !within) add("outside", [node])
      return
    }
    const reason = holders.has(node) ? undefined : reasonOf(node)
    if (reason === "silent" || reason === "mark") return
    if (reason !== undefined) add(reason, [node])
    else if (within || holders.has(node)) for (const child of node.children) visit(child, within)
    else add("outside", [node])
  }

  function add(reason: PartReason, of: ChildNode[]): void {
    const text = partText(of)
    if (/[\p{L}\p{N}]/u.test(text)) parts.push({ reason, text })
  }

  for (const node of nodes) visit(node, false)
  return parts
}

/** The first words of the nodes. */
function partText(nodes: ChildNode[]): string {
  let text = ""
  const visit = (node: ChildNode): void => {
    if (text.length > maxCharacters) return
    if (isText(node)) text += node.data.slice(0, 2 * maxCharacters).replace(/\s+/g, " ")
    else if (isTag(node) && !silentTags.has(node.name)) {
      for (const child of node.children) visit(child)
      if (!isPhrasing(node.name) && !text.endsWith(" ")) text += " "
    }
  }
  for (const node of nodes) visit(node)
  const words = text.replace(/ {2,}/g, " ").trim()
  return (
    words.length > maxCharacters ? `${words.slice(0, maxCharacters - 1).trimEnd()}…` : words
  ).toWellFormed()
}
