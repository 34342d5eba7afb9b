import { type ChildNode, type Element, isTag, isText } from "domhandler"
import { DomUtils } from "htmlparser2"
import { decodedUri } from "../../../base/text.ts"
import type { PartReason } from "../document.ts"
import { pageLimits } from "../page-limits.ts"
import type { Judgement } from "./boilerplate.ts"
import { isListOfCards, liftTitle, tabLevels } from "./cards.ts"
import { type ElementTest, isHeading, memoized } from "./dom.ts"
import {
  escapeBlockStarts,
  headingText,
  inlineMarkdown,
  isPhrasing,
  longestBacktickRun,
  pictureText,
  plainText,
  preformattedText,
} from "./inline.ts"
import { noteTag } from "./notes.ts"
import { isLayoutTable, maxRepeatedCharacters, type RepeatBudget, tableMarkdown } from "./table.ts"

/** A heading, or a block of simple Markdown. A heading without text ends its section: the one above it goes on. */
export type FlowItem =
  | { kind: "heading"; level: number; text: string; anchor: string | null }
  /** `doubt`: why it is left out if other pages say the same. `anchor`: where it stands, if it tells. */
  | { kind: "block"; markdown: string; doubt?: PartReason; anchor?: string }

const blockTags = new Set(
  `p div section article main header ul ol li dl dt dd table pre blockquote details summary figure h1 h2 h3 h4 h5 h6
   figcaption hr center fieldset aside body html address`.split(/\s+/),
)

/** The text of the nodes in reading order, without skipped elements. */
export function readFlow(nodes: ChildNode[], judgement: Judgement): FlowItem[] {
  const repeats = { charactersLeft: maxRepeatedCharacters }
  return flow(nodes, {
    ...judgement,
    isBlock: blockTest(),
    isCaption: captionTest(),
    tabLevel: tabLevels(judgement.panels),
    repeats,
    columns: 0,
  })
}

interface FlowContext extends Pick<Judgement, "isSkipped" | "panels" | "doubtOf"> {
  isBlock: ElementTest
  isCaption: ElementTest
  /** The level of the heading that the name of a panel's tab becomes; undefined where no tab beside it has headings. */
  tabLevel: (panel: Element) => number | undefined
  repeats: RepeatBudget
  /** Columns of indentation that the enclosing lists and quotes add to each line. */
  columns: number
}

/**
 * Deeper lists and quotes lose their marks and keep their content: the indentation alone would make each line
 * long.
 */
const maxColumns = 16

function flow(nodes: ChildNode[], context: FlowContext): FlowItem[] {
  const { isSkipped, panels } = context
  const items: FlowItem[] = []
  let doubt: PartReason | undefined
  /** The id of an element without text that stands just before the next block. */
  let pendingId: string | null = null
  let inlineNodes: ChildNode[] = []
  /** The last tab whose name is a heading, and where it ended. */
  let openTab: { level: number; end: number } | undefined

  walk(nodes)
  return items

  function walk(children: ChildNode[]): void {
    for (const node of children) {
      if (isTag(node) && context.isBlock(node)) {
        endParagraph()
        if (!isSkipped(node) && !context.isCaption(node)) block(node)
      } else if (isText(node) || isTag(node)) inlineNodes.push(node)
    }
    endParagraph()
  }

  function block(element: Element): void {
    const id = elementId(element)
    if (isHeading(element)) {
      heading(element)
      return
    }
    const label = panels.labelOf(element)
    const level = label && addLabel(label, element)
    if (id) pendingId = id
    const outer = doubt
    doubt ??= context.doubtOf(element)
    const markdown = blockMarkdown(element, context)
    const before = items.length
    if (markdown !== undefined) addBlock(markdown)
    else walk(element.children)
    liftTitle(items, before, element)
    doubt = outer
    if (level !== undefined) openTab = { level, end: items.length }
  }

  function heading(element: Element): void {
    const text = withoutNoteMarks(headingText(element.children, isSkipped))
    if (text === "") return
    // A heading of this length is a paragraph, and each passage below would repeat it.
    if (text.length > pageLimits.headingCharacters) {
      walk(element.children)
      return
    }
    const targets = DomUtils.findAll((child) => elementId(child) !== null, element.children)
    // MediaWiki sets an escaped name without text before its own.
    const inner = targets.find(({ children }) => children.length > 0) ?? targets[0]
    const link = DomUtils.findOne(isFragmentLink, [...element.children, ...nextFragmentLink(element)])
    const control = DomUtils.findOne(panels.isLabel, element.children)
    const anchor =
      element.attribs["id"] ||
      (inner && elementId(inner)) ||
      pendingId ||
      element.attribs["data-slug"] ||
      (link ? decodedUri((link.attribs["href"] as string).slice(1)) : null) ||
      (control?.attribs["aria-controls"] ?? null)
    pendingId = null
    leaveTab(Number(element.name[1]))
    const isName = anchor !== null && anchor.length <= pageLimits.anchorCharacters
    items.push({ kind: "heading", level: Number(element.name[1]), text, anchor: isName ? anchor : null })
    for (const note of DomUtils.findAll(({ name }) => name === noteTag, element.children))
      addBlock(inlineMarkdown([note], isSkipped))
  }

  function endParagraph(): void {
    const nodes = inlineNodes
    inlineNodes = []
    if (nodes.length === 0) return
    const text = inlineMarkdown(nodes, isSkipped) || announcedPicture(nodes)
    const target = DomUtils.findOne((element) => elementId(element) !== null, nodes)
    const label = onlyLabel(nodes)
    if (label) addBlock(labelLine(label, isSkipped))
    else if (text !== "" && !isOnlyLink(nodes, isSkipped)) addBlock(escapeBlockStarts(text))
    else if (target) pendingId = elementId(target)
  }

  /** Description of a picture alone in its paragraph, where the line above ends in a colon. */
  function announcedPicture(nodes: ChildNode[]): string {
    const above = items.at(-1)
    return above?.kind === "block" && above.markdown.endsWith(":") ? pictureText(nodes) : ""
  }

  /** The name of a tab: a line above its text, or half a level above the headings of the tabs’ texts. */
  function addLabel(label: Element, panel: Element): number | undefined {
    const level = context.tabLevel(panel)
    const text = plainText(label.children, isSkipped)
    if (level === undefined || text === "" || text.length > pageLimits.headingCharacters) {
      addBlock(labelLine(label, isSkipped))
      return undefined
    }
    leaveTab(level)
    items.push({ kind: "heading", level, text, anchor: elementId(panel) })
    return level
  }

  /** The section that holds the tabs goes on behind them. `level`: of a heading that follows. */
  function leaveTab(level = 7): void {
    if (openTab?.end !== items.length) return
    if (level > openTab.level) items.push({ kind: "heading", level: openTab.level, text: "", anchor: null })
    openTab = undefined
  }

  /** The control that is all of a paragraph. */
  function onlyLabel(nodes: ChildNode[]): Element | null {
    const [only, ...others] = nodes.filter(isVisible)
    return only && others.length === 0 ? DomUtils.findOne(panels.isLabel, [only]) : null
  }

  function isVisible(node: ChildNode): boolean {
    return isText(node) ? node.data.trim() !== "" : isTag(node) && !isSkipped(node)
  }

  function addBlock(markdown: string): void {
    if (markdown === "") return
    pendingId = null
    leaveTab()
    items.push({ kind: "block", markdown, ...(doubt && { doubt }) })
  }
}

/** The Markdown of an element that is one block, or undefined for an element that only holds other blocks. */
function blockMarkdown(element: Element, context: FlowContext): string | undefined {
  const { isSkipped, panels, repeats, columns } = context
  if (panels.isLabel(element)) return labelLine(element, isSkipped)
  switch (element.name) {
    case "pre":
      return codeBlock(element, isSkipped)
    case "ul":
    case "ol":
      if (columns === 0 && isListOfCards(element, isSkipped)) return undefined
      return columns < maxColumns ? list(element, context) : undefined
    case "table":
      return isLayoutTable(element) ? undefined : tableMarkdown(element, isSkipped, repeats)
    case "blockquote":
      return columns < maxColumns ? quote(nestedMarkdown(element, context, quoteColumns)) : undefined
    case "summary":
    case "dt":
      return labelLine(element, isSkipped)
    default:
      return undefined
  }
}

function labelLine({ children }: Element, isSkipped: ElementTest): string {
  return bold(inlineMarkdown(children, isSkipped).replace(/\n+/g, " "))
}

/** Asterisks at the end of a heading refer to notes at the bottom of the page. */
function withoutNoteMarks(text: string): string {
  let end = text.length
  while (text[end - 1] === "*") end--
  return end === text.length ? text : text.slice(0, end).trimEnd()
}

/** The caption of a picture or a video says nothing without it; that of code or a table names it. */
function captionTest(): ElementTest {
  const holdsText = memoized(({ children }) =>
    children.some((child) => isTag(child) && captioned.has(child.name)),
  )
  return ({ name, parent }) => name === "figcaption" && parent !== null && isTag(parent) && !holdsText(parent)
}

const captioned = new Set(["pre", "table", "blockquote", "p", "ul", "ol", "div"])

function elementId({ name, attribs }: Element): string | null {
  return attribs["id"] || (name === "a" && attribs["name"]) || null
}

/** GitHub puts the link to a heading beside it, and its id is nowhere on the page. */
function isFragmentLink({ name, attribs }: Element): boolean {
  return name === "a" && /^#./.test(attribs["href"] ?? "")
}

function nextFragmentLink({ next }: Element): ChildNode[] {
  return next && isTag(next) && isFragmentLink(next) ? [next] : []
}

function blockTest(): ElementTest {
  const isBlock = memoized(({ name, children }) => {
    if (blockTags.has(name)) return true
    if (name === noteTag) return false
    if (children.length === 0) return false
    // Components and unknown elements count as block or inline by their content.
    return children.some((child) => isTag(child) && isBlock(child)) || !isPhrasing(name)
  })
  return isBlock
}

/** Marks the link to a video or a file that the page shows at this place. */
export const embedAttribute = "data-embed"

/** A paragraph that is only a link ("Try it", "Edit") says nothing without the link, unless its words do. */
function isOnlyLink(nodes: ChildNode[], isSkipped: ElementTest): boolean {
  const visible = nodes.filter((node) =>
    isText(node) ? node.data.trim() !== "" : isTag(node) && !isSkipped(node),
  )
  return visible.length > 0 && visible.every((node) => isTag(node) && isMereLink(node, isSkipped))
}

function isMereLink(element: Element, isSkipped: ElementTest): boolean {
  const href = element.attribs["href"]
  if (isMark(element)) return true
  if (element.name !== "a" || href === undefined || element.attribs[embedAttribute] !== undefined)
    return false
  if (/^\s*(?:mailto|tel|sms):/i.test(href)) return false
  const text = plainText(element.children, isSkipped).slice(0, pageLimits.headingCharacters)
  if (/[€@\d]/.test(text) && !/^\d{1,2}$/.test(text)) return false
  const words = text.split(/\s+/).filter((word) => /\p{L}/u.test(word))
  const fromFirstLetter = text.replace(/^[^\p{L}]{0,3}/u, "")
  return words.length < 3 || actionLinks.some((action) => action.test(fromFirstLetter))
}

/** A bullet or an arrow between links. */
function isMark({ name, children }: Element): boolean {
  return name === "br" || children.length === 0
}

/** These links do something with the page, or lead elsewhere without a word of what is there. */
const actionLinks = [
  /^(?:modifier|éditer|edit|améliorer|improve|partager|share|imprimer|print|view|suggérer|suggest)(?: [\p{L}’']{1,15})? ?(?:page|article|contenu|content|source|document)/iu,
  /^(?:modifier|éditer|edit|voir|view|ouvrir|open|tester|try) (?:sur|on|in|dans|en)(?: |$)/i,
  /^(?:signaler une? (?:erreur|problème)|report (?:an? |this )?(?:issue|problem|bug))/i,
  /^(?:essaye|see it|try (?:it|this)|retour (?:à|au|en)|revenir (?:à|au|en)|back to|haut de|skip)/i,
  /^aller (?:au (?:contenu|menu)|à la (?:navigation|recherche)|en haut|directement)/i,
  /^(?:lire (?:la suite|plus)|en savoir|voir (?:plus|tou)|read (?:more|the)|learn more|see (?:more|all))/i,
  /^(?:(?:page |article )?(?:précédent|suivant)|previous|next)/i,
]

/** A quote counts as twice its two columns, so that quotes nest at most four deep. */
const quoteColumns = 4

/** The content of a list item or a quote, whose lines will be indented by `columns`. */
function nestedMarkdown(element: Element, context: FlowContext, columns: number): string {
  const items = flow(element.children, { ...context, columns: context.columns + columns })
  liftTitle(items, 0, element)
  return items
    .map((item) => (item.kind === "heading" ? bold(escapeBlockStarts(item.text)) : item.markdown))
    .filter((text) => text !== "")
    .join("\n\n")
}

/** The highest number of a list item in CommonMark: nine digits. */
const maxItemNumber = 999_999_999

function list(element: Element, context: FlowContext): string {
  const start = Number(element.attribs["start"] ?? 1) || 1
  let number = Math.abs(start) <= maxItemNumber ? start : 1
  const items: string[] = []
  for (const item of element.children) {
    if (!isTag(item) || context.isSkipped(item)) continue
    const mark = element.name === "ol" ? `${number}. ` : "- "
    const text =
      nestedMarkdown(item, context, mark.length) || inlineMarkdown(item.children, context.isSkipped)
    if (text === "") continue
    number++
    items.push(mark + text.replaceAll("\n", `\n${" ".repeat(mark.length)}`).replace(/^ +$/gm, ""))
  }
  return items.join("\n")
}

function quote(text: string): string {
  const body = text.replace(/^\\?\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/, "")
  return body === "" ? "" : body.replace(/^/gm, "> ").replace(/^> $/gm, ">")
}

function bold(text: string): string {
  return text && (text.includes("**") ? text : `**${text}**`)
}

/** The code of a `pre` between fences, with its language; empty for a `pre` without code. */
function codeBlock(element: Element, isSkipped: ElementTest): string {
  const written = preformattedText(element, isSkipped).replace(/\r\n?/g, "\n")
  const code = withoutEmptyEnds(withoutHighlightMarks(written))
  if (code === "") return ""
  const ticks = "`".repeat(Math.max(3, longestBacktickRun(code) + 1))
  return `${ticks}${fenceLanguage(element)}\n${code}\n${ticks}`
}

/** Without the empty lines at both ends; the first line keeps its indentation. */
function withoutEmptyEnds(code: string): string {
  const text = code.trimEnd()
  const leading = text.length - text.trimStart().length
  return text.slice(text.slice(0, leading).lastIndexOf("\n") + 1)
}

/** Without the comments that tell a generator which lines to colour; readers do not see them. */
function withoutHighlightMarks(code: string): string {
  if (!code.includes("highlight-") && !code.includes("[!code ")) return code
  const lines = code.split("\n")
  return lines
    .filter((line, at) => at === lines.length - 1 || !highlightLine.test(line.trim()))
    .map(withoutCodeMark)
    .join("\n")
}

const highlightLine = /^(?:\/\/|#|<!--|\{?\/\*)\s*highlight-(?:next-line|start|end)\s*(?:-->|\*\/\}?)?$/

/** `const a = 1 // [!code focus]` → `const a = 1`. */
function withoutCodeMark(line: string): string {
  const start = line.lastIndexOf("[!code ")
  if (start === -1 || !/^[^\]]*\](?:\s*(?:-->|\*\/))?$/.test(line.slice(start).trimEnd())) return line
  const before = line.slice(0, start).trimEnd()
  const comment = ["//", "#", "<!--", "/*"].find((opening) => before.endsWith(opening))
  return comment === undefined ? line : before.slice(0, -comment.length).trimEnd()
}

/** A longer language is no name. A longer class list would be searched again for each `pre`. */
const maxCharacters = { classes: 1000, language: 50 }
const codeLanguage = /(?:^|\s)(?:language|lang|highlight|brush)[-:]\s*([\w+#.-]+)/

function fenceLanguage(pre: Element): string {
  const code = DomUtils.findOne(({ name }) => name === "code", pre.children)
  for (const element of [code, ...withAncestors(pre, 7)]) {
    if (!element) continue
    const { class: classes = "", "data-language": language, lang } = element.attribs
    const inClasses = codeLanguage.exec(classes.slice(0, maxCharacters.classes))?.[1]
    const named = language ?? inClasses ?? (element === pre ? lang : undefined)
    if (!named) continue
    const isNone = named === "text" || named === "plaintext" || named === "default"
    return isNone || named.length > maxCharacters.language ? "" : named
  }
  return ""
}

/**
 * A `pre` and the boxes around it: highlighters also wrap it in a table with line numbers, and name the
 * language on any of them.
 */
function withAncestors(element: Element, count: number): Element[] {
  const { parent } = element
  return count > 0 && parent && isTag(parent) ? [element, ...withAncestors(parent, count - 1)] : [element]
}
