import { type ChildNode, type Element, isTag, isText } from "domhandler"
import { type ElementTest, hasClass, isHeading, textContent, words } from "./dom.ts"
import { isMarkedByOwner } from "./owner-marks.ts"
import type { Panels } from "./panels.ts"
import type { ShortText } from "./short-text.ts"

/** Elements without text of their own. */
export const silentTags =
  words(`script style template noscript svg math iframe object embed canvas video audio map picture img
  input select textarea progress meter head title link meta`)

/** Vue fills, repeats or toggles elements with these: they are a live demonstration, not text. */
const templateDirectives = ["v-if", "v-else", "v-else-if", "v-show", "v-for"]

/** The marks that generators hang on headings and lines of code. */
export const markClasses =
  words(`header-anchor hash-link headerlink heading-anchor anchorjs-link sl-anchor-link direct-link mw-editsection
  line-numbers-wrapper line-number linenos lineno gutter`)
/** Words for those who hear the page. */
const spokenClasses = words("sr-only visually-hidden visuallyhidden screen-reader-text fr-sr-only is-sr-only")
const hiddenClasses = words("d-none hidden fr-hidden noprint")

export type HiddenReason = "silent" | "owner" | "mark" | "hidden"

/** `holdsText`: whether an element holds the page's text, so that only a script hides it until it has run. */
export function hiddenReason(
  element: Element,
  panels: Panels,
  shortText: ShortText,
  holdsText: ElementTest,
): HiddenReason | undefined {
  const { name, attribs } = element
  if (silentTags.has(name)) return "silent"
  if (isMarkedByOwner(element)) return "owner"
  if (name === "button") return isReadAsWords(element, panels) ? undefined : "mark"
  if (hasClass(element, markClasses) || isAnchorMark(element, shortText)) return "mark"
  if (templateDirectives.some((directive) => attribs[directive] !== undefined)) return "hidden"
  if (hasClass(element, spokenClasses)) return isReadWhereItStands(element, shortText) ? undefined : "hidden"
  return isClosed(element) && !panels.isPanel(element) && !holdsText(element) ? "hidden" : undefined
}

function isClosed({ name, attribs }: Element): boolean {
  const { hidden, style, role, class: classes } = attribs
  if (name === "dialog" || attribs["aria-hidden"] === "true") return true
  if (hidden !== undefined && hidden !== "until-found" && role !== "tabpanel") return true
  if (classes !== undefined && isHiddenOnEveryScreen(classes)) return true
  return style !== undefined && /display:\s*none|visibility:\s*hidden/i.test(style)
}

/** `hidden md:block`, `d-none d-lg-block` and `fr-hidden fr-unhidden-md` are shown on wide screens. */
function isHiddenOnEveryScreen(classes: string): boolean {
  const names = classes.split(/\s+/)
  return names.some((name) => hiddenClasses.has(name)) && !names.some((name) => shownFromWidth.test(name))
}

const shownFromWidth =
  /^(?:(?:max-|min-)?\w+:(?:block|flex|grid|inline|table|contents|list-item|flow-root)|d-(?:sm|md|lg|xl|xxl)-(?!none)|fr-unhidden)/

function isAnchorMark(element: Element, shortText: ShortText): boolean {
  const isFragment = element.name === "a" && (element.attribs["href"] ?? "").startsWith("#")
  return isFragment && /^[\s#¶§🔗]*$/u.test(shortText(element))
}

/** Notes on links for those who hear the page, and links that skip a part of it. */
const linkNote =
  /fenêtre|onglet|window|\btab\b|extern|s[’']ouvre|opens? in|perma|lien (?:vers|permanent)|link to|anchor|ancre|retour|back to|aller (?:au|à)|skip|passer/i

/** A heading, a name in a cell or beside a picture says something; a note on a link does not. */
function isReadWhereItStands(element: Element, shortText: ShortText): boolean {
  if (linkNote.test(shortText(element))) return false
  if (isHeading(element)) return true
  let around: Element | null = element
  for (let up = 0; around && up < 6; up++) {
    if (isHeading(around) || /^(?:td|th|caption|dt)$/.test(around.name)) return true
    const { parent }: Element = around
    around = parent && isTag(parent) ? parent : null
  }
  return [element.prev, element.next, nextTo(element, "prev"), nextTo(element, "next")].some(
    (node) => node !== null && node !== undefined && isTag(node) && isPicture(node),
  )
}

/** The neighbour behind the blank beside an element. */
function nextTo(element: Element, side: "prev" | "next"): ChildNode | null | undefined {
  const blank = element[side]
  return blank && isText(blank) && blank.data.trim() === "" ? blank[side] : undefined
}

function isPicture({ name, attribs }: Element): boolean {
  return (
    /^(?:img|svg|picture)$/.test(name) || (/^(?:i|span)$/.test(name) && attribs["aria-hidden"] === "true")
  )
}

const actions =
  /^\W*(?:copier|copié|copy|copied|modifier|edit|partager|share|imprimer|print|fermer|close|ouvrir|open|afficher|show|masquer|hide|déplier|replier|voir|menu|toggle|réduire|agrandir|annuler|ok|[+−–×-])(?:\s|\W|$)/i

/**
 * « Cliquez sur [Envoyer] » says what the button says, and so does a button that opens a part of the text, or that is
 * text which can be clicked. A button that ends a line and does something with it, or that stands beside the words of
 * a heading, is no word of theirs.
 */
function isReadAsWords(button: Element, panels: Panels): boolean {
  const holder = findHolder(button)
  const label = textContent(button.children.slice(0, maxNeighbours)).slice(0, 1000).trim()
  if (!/[\p{L}\p{N}]/u.test(label)) return false
  const around = holder && {
    before: holdsWords(button, holder, "prev"),
    after: holdsWords(button, holder, "next"),
  }
  if (holder && (isHeading(holder) || holder.name === "dt")) return !around?.before && !around?.after
  if (panels.isLabel(button) || saysText(button, label)) return true
  return around !== undefined && (around.after || (around.before && !actions.test(label)))
}

const textWords = 6

/** A question whose answer a script shows, a sentence, a step, or a card with its title. */
function saysText(button: Element, label: string): boolean {
  if (actions.test(label)) return false
  if (/[?.]$/.test(label) || label.split(/\s+/, textWords).length === textWords) return true
  const { parent } = button
  if (parent && isTag(parent) && parent.name === "li" && isStep(parent)) return true
  return [button, ...button.children.filter(isTag).slice(0, maxNeighbours)].some(({ children }) =>
    children
      .slice(0, maxNeighbours)
      .some((child) => isTag(child) && (isHeading(child) || child.name === "p")),
  )
}

function isStep({ parent }: Element): boolean {
  return parent !== null && isTag(parent) && parent.name === "ol"
}

const maxNeighbours = 20
const sentenceTags = words("h1 h2 h3 h4 h5 h6 dt p li td th dd figcaption blockquote")

/** The heading, paragraph or cell that a button stands in, with no other block between. */
function findHolder(button: Element): Element | undefined {
  let { parent } = button
  for (let up = 0; parent && isTag(parent) && up < 5; up++) {
    if (sentenceTags.has(parent.name)) return parent
    if (parent.name === "div" || parent.name === "form") return undefined
    parent = parent.parent
  }
  return undefined
}

/** Whether words stand before or after a button within its holder, a few nodes away. */
function holdsWords(button: Element, holder: Element, side: "prev" | "next"): boolean {
  let around: Element = button
  for (let left = maxNeighbours; around !== holder; around = around.parent as Element)
    for (let node = around[side]; node && left > 0; left--, node = node[side]) if (hasWord(node)) return true
  return false
}

function hasWord(node: ChildNode): boolean {
  if (isText(node)) return /[\p{L}\p{N}]|[.,;:!?»]/u.test(node.data.slice(0, 1000))
  if (!isTag(node) || node.name === "button" || silentTags.has(node.name)) return false
  return node.children
    .slice(0, maxNeighbours)
    .some((child) => isText(child) && /[\p{L}\p{N}]/u.test(child.data.slice(0, 1000)))
}
