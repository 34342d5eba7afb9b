import { type ChildNode, type Element, hasChildren, isComment, isTag, isText } from "domhandler"
import { onceEach } from "./tree.ts"

/** Judges whether an element, with all in it, is something else than text of the page. */
export type Clutter = (element: Element) => boolean

/**
 * What no reader of a page sees, in Markdown as in HTML. Each element is judged once, so that a page nested
 * deep is not looked through at every level.
 */
export function hiddenClutter(): Clutter {
  const briefly = briefText()
  return onceEach((element) => isHidden(element, briefly))
}

/**
 * What surrounds the text of an HTML page: menus, banners, tables of contents, links to edit or share; and
 * what is hidden.
 */
export function pageClutter(nodes: ChildNode[]): Clutter {
  const briefly = briefText()
  const holders = textHolders(nodes)
  return onceEach((element) => isHidden(element, briefly) || isFurniture(element, holders, briefly))
}

const silent =
  words(`script style template noscript svg math iframe object embed canvas video audio map picture img input
  select textarea button dialog progress meter head link meta`)

/** Written for a program to show, fill or repeat: a live demonstration, not text. */
const live = ["v-if", "v-else", "v-else-if", "v-show", "v-for"]

/** Hidden from the eye, or the marks that generators hang on headings and lines of code. */
const hiddenClasses =
  words(`sr-only visually-hidden visuallyhidden screen-reader-text d-none noprint header-anchor hash-link
  headerlink heading-anchor anchorjs-link sl-anchor-link direct-link line-numbers-wrapper line-number linenos lineno gutter`)

function isHidden(element: Element, briefly: BriefText): boolean {
  const { name, attribs } = element
  if (silent.has(name) || attribs["aria-hidden"] === "true") return true
  if (attribs["hidden"] !== undefined && attribs["hidden"] !== "until-found")
    return attribs["role"] !== "tabpanel"
  if (live.some((directive) => attribs[directive] !== undefined)) return true
  const { class: classes, style } = attribs
  if (classes !== undefined && (hasClass(classes, hiddenClasses) || isHiddenOnEveryScreen(classes)))
    return true
  if (style !== undefined && /display:\s*none|visibility:\s*hidden/i.test(style)) return true
  return name === "a" && (attribs["href"] ?? "").startsWith("#") && /^[\s#¶§🔗]*$/u.test(briefly(element))
}

/** Tailwind's `hidden md:block` is shown on wide screens. */
function isHiddenOnEveryScreen(classes: string): boolean {
  const names = classes.split(/\s+/)
  return (
    names.includes("hidden") &&
    !names.some((name) => /^\w+:(?:block|flex|grid|inline|table|contents)/.test(name))
  )
}

const furniture = words("nav footer menu search")
const furnitureRoles = words(
  "navigation search banner contentinfo complementary menu menubar dialog alertdialog toolbar tablist",
)
const furnitureIds =
  /^(?:tarteaucitron|onetrust|didomi|axeptio|CybotCookiebot|cookie-?(?:banner|consent|notice))/i
const furnitureClass =
  /(?:^|[\s_-])(?:breadcrumbs?|pagination|pager|prev-?next|toc|toctree-wrapper|table-of-contents|on-this-page|sidebar|cookies?|edit-(?:link|this|page|info)|last-updated|copy|skip-?link|share|social|feedback|advert|newsletter|tabbed-labels|theme-doc-footer|theme-doc-version-badge|VPDocFooter|VPDocAside)(?:[\s_-]|$)/i
const admonition =
  /admonition|callout|starlight-aside|alert|notice|custom-block|\b(?:note|tip|warning|info|important)\b/i

function isFurniture(element: Element, holders: ReadonlySet<Element>, briefly: BriefText): boolean {
  const { name, attribs } = element
  const { class: classes = "", id = "", role = "" } = attribs
  if (furniture.has(name) || furnitureRoles.has(role) || furnitureIds.test(id)) return true
  if (name === "aside") return !admonition.test(classes)
  if (name === "header") return !isWithinText(element)
  // Some servers wrap every page in one form.
  if (name === "form") return !holders.has(element)
  if (classes === "") return false
  if (furnitureClass.test(classes)) return !holders.has(element)
  return isLabel(classes, element, briefly)
}

function isWithinText({ parent }: Element): boolean {
  for (let node = parent; node; node = node.parent)
    if (isTag(node) && (node.name === "main" || node.name === "article")) return true
  return false
}

/** Elements with a heading of the page, or what is marked as its text, somewhere in them. */
function textHolders(nodes: ChildNode[]): ReadonlySet<Element> {
  const holders = new Set<Element>()
  const visit = (node: ChildNode): boolean => {
    if (!isTag(node)) return false
    let holds = false
    for (const child of node.children) if (visit(child)) holds = true
    if (holds) holders.add(node)
    return holds || node.name === "main" || node.name === "article" || node.name === "h1"
  }
  for (const node of nodes) visit(node)
  return holders
}

/** "TIP" above a tip and "js" above code: put there by the generator, not by who wrote. */
function isLabel(classes: string, element: Element, briefly: BriefText): boolean {
  if (/(?:^|\s)lang(?:\s|$)/.test(classes)) return true
  return (
    /admonition-?(?:title|heading)|custom-block-title|starlight-aside__title/i.test(classes) &&
    /^\s*(?:note|tip|info|warning|danger|caution|important|astuce|remarque|attention|avertissement)\s*$/i.test(
      briefly(element),
    )
  )
}

/**
 * Text of an element with its blanks as one space each, or a stand-in for what is longer than any mark or
 * label.
 */
type BriefText = (element: Element) => string

const longestBrief = 40
const long = "x".repeat(longestBrief + 1)

function briefText(): BriefText {
  const known = new Map<Element, string>()
  const visit = (node: ChildNode): string => {
    if (isText(node)) return shortened(node.data)
    if (!hasChildren(node) || isComment(node)) return ""
    return isTag(node) ? element(node) : children(node.children)
  }
  const element = (node: Element): string => {
    const text = known.get(node) ?? children(node.children)
    known.set(node, text)
    return text
  }
  const children = (nodes: ChildNode[]): string => {
    let text = ""
    for (const node of nodes) {
      text = shortened(text + visit(node))
      if (text === long) break
    }
    return text
  }
  return element
}

function shortened(text: string): string {
  const said = text.replace(/\s+/g, " ")
  return said.length > longestBrief ? long : said
}

function hasClass(classes: string, wanted: ReadonlySet<string>): boolean {
  return classes.split(/\s+/).some((name) => wanted.has(name))
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}
