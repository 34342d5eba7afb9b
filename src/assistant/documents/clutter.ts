import { type Element, isTag } from "domhandler"
import { DomUtils } from "htmlparser2"

/** Judges whether an element, with all in it, is something else than text of the page. */
export type Clutter = (element: Element) => boolean

const silent =
  words(`script style template noscript svg math iframe object embed canvas video audio map picture img input
  select textarea button dialog progress meter head link meta`)

/** Written for a program to show, fill or repeat: a live demonstration, not text. */
const live = ["v-if", "v-else", "v-else-if", "v-show", "v-for"]

/** Hidden from the eye, or the marks that generators hang on headings and lines of code. */
const hiddenClasses =
  words(`sr-only visually-hidden visuallyhidden screen-reader-text d-none noprint header-anchor hash-link
  headerlink heading-anchor anchorjs-link sl-anchor-link direct-link line-numbers-wrapper line-number linenos lineno gutter`)

/** What no reader of the page sees, in Markdown as in HTML. */
export function isHidden(element: Element): boolean {
  const { name, attribs } = element
  if (silent.has(name) || attribs["aria-hidden"] === "true") return true
  if (attribs["hidden"] !== undefined && attribs["hidden"] !== "until-found")
    return attribs["role"] !== "tabpanel"
  if (live.some((directive) => attribs[directive] !== undefined)) return true
  const { class: classes, style } = attribs
  if (classes !== undefined && (hasClass(classes, hiddenClasses) || isHiddenOnEveryScreen(classes)))
    return true
  if (style !== undefined && /display:\s*none|visibility:\s*hidden/i.test(style)) return true
  return (
    name === "a" &&
    (attribs["href"] ?? "").startsWith("#") &&
    /^[\s#¶§🔗]*$/u.test(DomUtils.textContent(element))
  )
}

/** Tailwind's `hidden md:block` is shown on wide screens. */
function isHiddenOnEveryScreen(classes: string): boolean {
  return (
    /(?:^|\s)hidden(?:\s|$)/.test(classes) &&
    !/(?:^|\s)\w+:(?:block|flex|grid|inline|table|contents)/.test(classes)
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

/** What surrounds the text of an HTML page: menus, banners, tables of contents, links to edit or share. */
export function isFurniture(element: Element): boolean {
  const { name, attribs } = element
  const { class: classes = "", id = "", role = "" } = attribs
  if (isHidden(element) || furniture.has(name) || furnitureRoles.has(role) || furnitureIds.test(id))
    return true
  if (name === "aside") return !admonition.test(classes)
  if (name === "header") return !isWithinText(element)
  // Some servers wrap every page in one form.
  if (name === "form") return !holdsText(element)
  if (classes === "") return false
  if (furnitureClass.test(classes)) return !holdsText(element)
  return isLabel(element, classes)
}

function isWithinText({ parent }: Element): boolean {
  for (let node = parent; node; node = node.parent)
    if (isTag(node) && (node.name === "main" || node.name === "article")) return true
  return false
}

function holdsText({ children }: Element): boolean {
  return (
    DomUtils.findOne(({ name }) => name === "main" || name === "article" || name === "h1", children) !== null
  )
}

/** "TIP" above a tip and "js" above code: put there by the generator, not by who wrote. */
function isLabel(element: Element, classes: string): boolean {
  if (/(?:^|\s)lang(?:\s|$)/.test(classes)) return true
  return (
    /admonition-?(?:title|heading)|custom-block-title|starlight-aside__title/i.test(classes) &&
    /^\s*(?:note|tip|info|warning|danger|caution|important|astuce|remarque|attention|avertissement)\s*$/i.test(
      DomUtils.textContent(element),
    )
  )
}

function hasClass(classes: string, wanted: ReadonlySet<string>): boolean {
  return classes.split(/\s+/).some((name) => wanted.has(name))
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}
