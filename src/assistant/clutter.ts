import type { Element } from "domhandler"

/** Judges whether an element, with all in it, is something else than text of the page. */
export type Clutter = (element: Element) => boolean

const silent = new Set(
  `script style template noscript svg math iframe object embed canvas video audio map picture img input select
   textarea button form dialog progress meter head link meta slot`.split(/\s+/),
)
const hiddenClass =
  /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-text|hidden|d-none|noprint|header-anchor|hash-link|headerlink|heading-?anchor|anchorjs-link|sl-anchor-link|direct-link|line-numbers?(?:-wrapper)?|linenos?|lineno|gutter)(?:\s|$)/i

/** Written for a program to show, fill or repeat: a live demonstration, not text. */
const live = ["v-if", "v-else", "v-else-if", "v-show", "v-for"]

/** What no reader of the page sees, in Markdown as in HTML. */
export function isHidden({ name, attribs }: Element): boolean {
  return (
    silent.has(name) ||
    live.some((directive) => attribs[directive] !== undefined) ||
    attribs["hidden"] !== undefined ||
    attribs["aria-hidden"] === "true" ||
    /display:\s*none|visibility:\s*hidden/i.test(attribs["style"] ?? "") ||
    hiddenClass.test(attribs["class"] ?? "")
  )
}

const furniture = new Set(["nav", "footer", "menu", "search"])
const furnitureRole =
  /^(?:navigation|search|banner|contentinfo|complementary|menu|menubar|dialog|alertdialog|toolbar|tablist)$/
const admonition =
  /admonition|callout|starlight-aside|alert|notice|custom-block|\b(?:note|tip|warning|info)\b/i
const furnitureClass =
  /(?:^|[\s_-])(?:breadcrumbs?|pagination|pager|prev-next|toc|table-of-contents|on-this-page|sidebar|cookies?(?:-\w+)?|consent-banner|edit-(?:link|this|page)\w*|last-updated|copy(?:-?btn|-button|code)?|skip-link|share|social|feedback|feelback|advert\w*|newsletter|related-posts|theme-doc-footer|theme-doc-version-badge|theme-doc-toc-mobile|VPDocFooter|VPDocAside)(?:[\s_-]|$)/i

/** What surrounds the text of an HTML page: menus, banners, tables of contents, links to edit or share. */
export function isFurniture(element: Element): boolean {
  const { name, attribs } = element
  const label = `${attribs["class"] ?? ""} ${attribs["id"] ?? ""}`
  if (isHidden(element) || furniture.has(name) || furnitureRole.test(attribs["role"] ?? "")) return true
  if (name === "aside") return !admonition.test(label)
  return name !== "body" && name !== "main" && name !== "article" && furnitureClass.test(label)
}
