import { type ChildNode, cloneNode, Element, isTag, isText, Text } from "domhandler"
import { DomUtils } from "htmlparser2"
import { hasAncestor, hasClass, isHeading, textContent } from "./dom.ts"
import { markClasses } from "./hidden.ts"

/** Holds a note at the place of its mark. What is in it is read in brackets after the sentence. */
export const noteTag = "guichet-note"

/** « 1 », « [12] », « (a) », « * »: the text of a link to a note. */
const noteMark = /^[\s[(]*(?:(?:note )?\d{1,3}|[a-z]{1,3}|[*†‡§]{1,3})[\s\])]*$/i
const maxMarkCharacters = 12
/** A longer note is read at its first mark alone. */
const maxRepeatedCharacters = 200
/** More marks, links back to one of them, or nodes of one note than any author writes. */
const limits = { marks: 5000, backLinks: 50, nodes: 300 }

/**
 * Moves each note of a page to its mark. Generators agree on one thing: a mark links to its note, which stands further
 * down and links back to the mark.
 */
export function moveNotes(nodes: ChildNode[]): void {
  const links = DomUtils.findAll(
    ({ name, attribs }) => name === "a" && /^#./.test(attribs["href"] ?? ""),
    nodes,
  )
  const marks = links.filter(isMark).slice(0, limits.marks)
  if (marks.length === 0 || links.length < 2) return
  const byId = new Map<string, Element>()
  for (const element of DomUtils.findAll(({ attribs }) => !!(attribs["id"] || attribs["name"]), nodes))
    for (const id of idsOf(element)) if (!byId.has(id)) byId.set(id, element)
  /** Links back, by the id that they lead to. */
  const back = Map.groupBy(links, fragment)
  const order = new Map(links.map((link, at) => [link, at]))
  const notes = new Map<Element, Element>()
  for (const mark of marks) {
    const target = byId.get(fragment(mark))
    if (!target || hasAncestor(mark, (element) => notes.has(element))) continue
    const place = markElement(mark)
    const backLinks = [...idsOf(mark), ...idsOf(place)]
      .flatMap((id) => back.get(id)?.slice(0, limits.backLinks) ?? [])
      .filter((link) => (order.get(link) ?? 0) > (order.get(mark) ?? 0))
    const body = backLinks.map((link) => noteBody(target, link)).find((element) => element !== undefined)
    if (!body || hasAncestor(mark, (element) => element === body)) continue
    const known = notes.get(body)
    const note = known ?? noteElement(body)
    notes.set(body, note)
    const words = known ? textContent([known]) : ""
    if (!known) DomUtils.replaceElement(place, note)
    else if (words.length > maxRepeatedCharacters) DomUtils.removeElement(place)
    else DomUtils.replaceElement(place, new Element(noteTag, {}, [new Text(words)]))
  }
  removeBodies([...notes.keys()])
}

function fragment({ attribs }: Element): string {
  return (attribs["href"] as string).slice(1)
}

function idsOf({ name, attribs }: Element): string[] {
  return [attribs["id"], name === "a" ? attribs["name"] : undefined].filter(
    (id) => id !== undefined && id !== "",
  ) as string[]
}

function isMark(link: Element): boolean {
  const text = textContent(link.children.slice(0, 5))
  return text.length <= maxMarkCharacters && noteMark.test(text)
}

/** The link with what stands around it and says nothing else: `<sup>[<a>1</a>]</sup>`. */
function markElement(link: Element): Element {
  let place = link
  for (let up = 0; up < 3; up++) {
    const { parent } = place
    if (!parent || !isTag(parent)) break
    const isAround = /^(?:sup|span|small)$/.test(parent.name) && parent.children.length <= 5
    if (!isAround || !noteMark.test(textContent(parent.children).slice(0, 2 * maxMarkCharacters))) break
    place = parent
  }
  return place
}

const bodyTags = /^(?:li|div|p|dd|aside|section|tr)$/

/** The element of the note that holds the target of its mark and the link back. */
function noteBody(target: Element, backLink: Element): Element | undefined {
  let body: Element = target
  for (let up = 0; up < 4; up++) {
    const holdsLink = body === backLink || hasAncestor(backLink, (element) => element === body)
    if (holdsLink && bodyTags.test(body.name)) break
    const { parent } = body
    if (!parent || !isTag(parent)) return undefined
    body = parent
  }
  const isNote = bodyTags.test(body.name) && isSmall(body) && DomUtils.findOne(isHeading, [body]) === null
  return isNote ? body : undefined
}

function isSmall(body: Element): boolean {
  let left = limits.nodes
  const visit = (node: ChildNode): boolean => --left >= 0 && (!isTag(node) || node.children.every(visit))
  return visit(body)
}

/** The words of a note, without its number and its links back. */
function noteElement(body: Element): Element {
  const copy = cloneNode(body, true)
  for (const link of DomUtils.findAll(({ name }) => name === "a", copy.children))
    if (/^#/.test(link.attribs["href"] ?? "") && textContent([link]).trim().length <= maxMarkCharacters)
      DomUtils.removeElement(link)
  dropNumber(copy.children)
  return new Element(noteTag, {}, [...copy.children])
}

/** Drops what stands before the first word: « [ ] », « . ». Returns whether a word was found. */
function dropNumber(nodes: ChildNode[]): boolean {
  for (const node of nodes) {
    if (isText(node)) {
      node.data = node.data.replace(/^[\s[\]().,:;^↑]+/, "")
      if (node.data !== "") return true
    } else if (isTag(node) && dropNumber(node.children)) return true
  }
  return false
}

const notesTitle =
  /^\W*(?:notes?|références|footnotes?|endnotes?|references|notes et références|notes de (?:bas de page|fin))\W*$/i

/** Removes the notes that were moved, and with the last one of a list the list and its heading. */
function removeBodies(bodies: Element[]): void {
  let emptied = new Set<Element>(bodies)
  while (emptied.size > 0) {
    const parents = new Set<Element>()
    for (const element of emptied) {
      const before = previousElement(element)
      const isTitle = before && (isHeading(before) || DomUtils.findOne(isHeading, before.children) !== null)
      if (isTitle && notesTitle.test(firstWords([before]))) DomUtils.removeElement(before)
      if (element.parent && isTag(element.parent)) parents.add(element.parent)
      DomUtils.removeElement(element)
    }
    emptied = new Set([...parents].filter(({ children }) => !/[\p{L}\p{N}]/u.test(firstWords(children))))
  }
}

/** Enough of the text to tell whether there is any, and a title by its words. */
function firstWords(nodes: ChildNode[]): string {
  let text = ""
  const visit = (node: ChildNode): void => {
    if (text.length > 100) return
    if (isText(node)) text += node.data.trim().slice(0, 100)
    else if (isTag(node) && !hasClass(node, markClasses)) for (const child of node.children) visit(child)
  }
  for (const node of nodes) visit(node)
  return text
}

function previousElement(element: Element): Element | undefined {
  let { prev } = element
  while (prev && !isTag(prev)) prev = prev.prev
  return prev && isTag(prev) ? prev : undefined
}

// Noncharacters, which no text holds: `collapseSpaces` drops them.
const opening = "\ufdd0"
const closing = "\ufdd1"

/** A note within the text of a paragraph, until `withNotesPlaced` gives it its place. */
export function signedNote(text: string): string {
  const words = text.replace(/\s+/g, " ").trim()
  return words === "" ? "" : opening + words + closing
}

const sentenceEnd = /[.!?…][»”")\]*_~\s]*$/
const maxEndCharacters = 40
const nextEnd = /[.!?…][»”")\]*_~]*(?=\s|$)|\n/

/** « trois ans¹. Le bonnet » → « trois ans. (Sur présentation d’un justificatif.) Le bonnet ». */
export function withNotesPlaced(paragraph: string): string {
  if (!paragraph.includes(opening)) return paragraph
  const [first = "", ...parts] = paragraph.split(opening)
  const done: string[] = []
  /** The text since the last note that has its place. */
  let tail = first
  let pending = ""
  for (const part of parts) {
    const end = part.indexOf(closing)
    pending += ` (${part.slice(0, end)})`
    let rest = part.slice(end + 1)
    const isBehindNote = done.length > 0 && tail.trim() === ""
    if (!isBehindNote && !sentenceEnd.test(tail.slice(-maxEndCharacters))) {
      const found = nextEnd.exec(rest)
      if (!found) {
        // A blank between two marks.
        tail += rest.trim() === "" ? "" : rest
        continue
      }
      const at = found.index + (found[0] === "\n" ? 0 : found[0].length)
      tail += rest.slice(0, at)
      rest = rest.slice(at)
    }
    done.push(tail.trimEnd() + pending)
    tail = (/^\s|^$/.test(rest) ? "" : " ") + rest
    pending = ""
  }
  return done.join("") + tail.trimEnd() + pending
}
