import { type ChildNode, type Element, hasChildren, isComment, isTag, isText } from "domhandler"
import { type ElementTest, hasAncestor, hasClass, memoized } from "./dom.ts"

/** A test for elements that no reader of the page sees, in Markdown as in HTML. */
export function hiddenElements(): ElementTest {
  const shortText = shortTextReader()
  return memoized((element) => isHidden(element, shortText))
}

/**
 * A test for elements around the text of an HTML page (menus, banners, tables of contents, links to edit or
 * share), and for hidden elements.
 */
export function boilerplateElements(nodes: ChildNode[]): ElementTest {
  const shortText = shortTextReader()
  const contentHolders = contentHoldersOf(nodes)
  return memoized(
    (element) => isHidden(element, shortText) || isBoilerplate(element, contentHolders, shortText),
  )
}

const nonTextTags =
  words(`script style template noscript svg math iframe object embed canvas video audio map picture img input
  select textarea button dialog progress meter head link meta`)

/** Vue fills, repeats or toggles elements with these: they are a live demonstration, not text. */
const templateDirectives = ["v-if", "v-else", "v-else-if", "v-show", "v-for"]

/** Hidden text, and the marks that generators hang on headings and lines of code. */
const hiddenClasses =
  words(`sr-only visually-hidden visuallyhidden screen-reader-text d-none noprint header-anchor hash-link
  headerlink heading-anchor anchorjs-link sl-anchor-link direct-link line-numbers-wrapper line-number linenos lineno gutter`)

function isHidden(element: Element, shortText: ShortText): boolean {
  const { name, attribs } = element
  if (nonTextTags.has(name) || attribs["aria-hidden"] === "true") return true
  if (attribs["hidden"] !== undefined && attribs["hidden"] !== "until-found")
    return attribs["role"] !== "tabpanel"
  if (templateDirectives.some((directive) => attribs[directive] !== undefined)) return true
  const { class: classes, style } = attribs
  if (hasClass(element, hiddenClasses)) return true
  if (classes !== undefined && isHiddenOnEveryScreen(classes)) return true
  if (style !== undefined && /display:\s*none|visibility:\s*hidden/i.test(style)) return true
  return name === "a" && (attribs["href"] ?? "").startsWith("#") && /^[\s#¶§🔗]*$/u.test(shortText(element))
}

/** Tailwind's `hidden md:block` is shown on wide screens. */
function isHiddenOnEveryScreen(classes: string): boolean {
  const names = classes.split(/\s+/)
  return (
    names.includes("hidden") &&
    !names.some((name) => /^\w+:(?:block|flex|grid|inline|table|contents)/.test(name))
  )
}

const boilerplateTags = words("nav footer menu search")
const boilerplateRoles = words(
  "navigation search banner contentinfo complementary menu menubar dialog alertdialog toolbar tablist",
)
const boilerplateIds =
  /^(?:tarteaucitron|onetrust|didomi|axeptio|CybotCookiebot|cookie-?(?:banner|consent|notice))/i
const boilerplateClass =
  /(?:^|[\s_-])(?:breadcrumbs?|pagination|pager|prev-?next|toc|toctree-wrapper|table-of-contents|on-this-page|sidebar|cookies?|edit-(?:link|this|page|info)|last-updated|copy|skip-?link|share|social|feedback|advert|newsletter|tabbed-labels|theme-doc-footer|theme-doc-version-badge|VPDocFooter|VPDocAside)(?:[\s_-]|$)/i
const admonition =
  /admonition|callout|starlight-aside|alert|notice|custom-block|\b(?:note|tip|warning|info|important)\b/i

function isBoilerplate(
  element: Element,
  contentHolders: ReadonlySet<Element>,
  shortText: ShortText,
): boolean {
  const { name, attribs } = element
  const { class: classes = "", id = "", role = "" } = attribs
  if (boilerplateTags.has(name) || boilerplateRoles.has(role) || boilerplateIds.test(id)) return true
  if (name === "aside") return !admonition.test(classes)
  if (name === "header") return !hasAncestor(element, isContent)
  // Some servers wrap every page in one form.
  if (name === "form") return !contentHolders.has(element)
  if (classes === "") return false
  if (boilerplateClass.test(classes)) return !contentHolders.has(element)
  return isGeneratedLabel(classes, element, shortText)
}

function isContent({ name }: Element): boolean {
  return name === "main" || name === "article"
}

/** Elements that hold the page's h1, `main` or `article` at any depth. */
function contentHoldersOf(nodes: ChildNode[]): ReadonlySet<Element> {
  const found = new Set<Element>()
  const visit = (node: ChildNode): boolean => {
    if (!isTag(node)) return false
    let holds = false
    for (const child of node.children) if (visit(child)) holds = true
    if (holds) found.add(node)
    return holds || isContent(node) || node.name === "h1"
  }
  for (const node of nodes) visit(node)
  return found
}

/** "TIP" above a tip and "js" above code: the generator put the label there, not the author. */
function isGeneratedLabel(classes: string, element: Element, shortText: ShortText): boolean {
  if (/(?:^|\s)lang(?:\s|$)/.test(classes)) return true
  return (
    /admonition-?(?:title|heading)|custom-block-title|starlight-aside__title/i.test(classes) &&
    /^\s*(?:note|tip|info|warning|danger|caution|important|astuce|remarque|attention|avertissement)\s*$/i.test(
      shortText(element),
    )
  )
}

/**
 * Text of an element with each run of white space as one space. Text that is longer than any mark or label is
 * replaced by a placeholder, so that a deep page is not copied at every level.
 */
type ShortText = (element: Element) => string

const maxShortCharacters = 40
const placeholder = "x".repeat(maxShortCharacters + 1)

function shortTextReader(): ShortText {
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
      if (text === placeholder) break
    }
    return text
  }
  return element
}

function shortened(text: string): string {
  const collapsed = text.replace(/\s+/g, " ")
  return collapsed.length > maxShortCharacters ? placeholder : collapsed
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}
