import { type ChildNode, type Element, isTag, isText } from "domhandler"
import { DomUtils } from "htmlparser2"
import type { PartReason } from "../document.ts"
import { type ElementTest, hasAncestor, hasClass, isHeading, memoized, words } from "./dom.ts"
import { type HiddenReason, hiddenReason } from "./hidden.ts"
import { findPanels, type Panels } from "./panels.ts"
import { type ShortText, shortTextReader } from "./short-text.ts"
import { isMostlyLinks, type Weight, type Weights, weighElements } from "./weights.ts"

/** Decides which elements of a page are read. */
export interface Judgement {
  reasonOf(element: Element): Reason | undefined
  isSkipped: ElementTest
  panels: Panels
  /** Reason to leave out what an element holds if the site's other pages say the same. */
  doubtOf(element: Element): PartReason | undefined
  /** Weights of what is neither hidden nor around the text. */
  weights: Weights
  /** Weight of the whole page. */
  whole: Weight
}

/** `silent` and `mark` hold no words of the page, so that leaving them out loses nothing. */
export type Reason = PartReason | "silent" | "mark"

/** Judges the elements of a Markdown page: only what its readers do not see is left out. */
export function hiddenElements(nodes: ChildNode[]): Judgement {
  return judgement(nodes, () => undefined)
}

/**
 * Judges the elements of an HTML page: what is hidden, and what stands around its text (menus, banners, tables of
 * contents, links to edit or share). A class name alone removes nothing that holds text: role, position and the
 * share of links decide. What stays in doubt is left out later, if the site repeats it.
 */
export function boilerplateElements(nodes: ChildNode[]): Judgement {
  return judgement(nodes, partReason)
}

/** The page of an element that is judged. */
interface Page {
  weights: Weights
  shortText: ShortText
  panels: Panels
  holdsText: ElementTest
}

function judgement(
  nodes: ChildNode[],
  partOf: (element: Element, page: Page) => Reason | undefined,
): Judgement {
  const shortText = shortTextReader()
  const holders = findContentHolders(nodes)
  const holdsText: ElementTest = (element) => holders.has(element)
  const isAround = memoized((element) => isAroundText(element, holdsText))
  const all = weighElements(nodes, () => false)
  const panels = findPanels(nodes, isAround, all.of)
  const hidden = memo((element) => hiddenReason(element, panels, shortText, holdsText))
  const weights = weighElements(nodes, (element) => hidden(element) !== undefined || isAround(element))
  const page: Page = { weights, shortText, panels, holdsText }
  const reasonOf = memo<Reason>((element) => hidden(element) ?? partOf(element, page))
  return {
    reasonOf,
    isSkipped: (element) => reasonOf(element) !== undefined,
    panels,
    doubtOf: wordReason,
    weights,
    whole: all.total,
  }
}

function memo<Result extends Reason | HiddenReason>(
  judge: (element: Element) => Result | undefined,
): (element: Element) => Result | undefined {
  const results = new Map<Element, Result | undefined>()
  return (element) => {
    if (results.has(element)) return results.get(element)
    const result = judge(element)
    results.set(element, result)
    return result
  }
}

const aroundTags = words("nav footer menu search")
const aroundRoles = words("navigation search banner contentinfo menu menubar")
const boxRoles = words("complementary alertdialog dialog toolbar")

/** Names of parts that no page writes itself, by class or id. */
const cookieNames =
  /(?:^|[\s_-])(?:tarteaucitron|onetrust|didomi|axeptio|CybotCookiebot|fr-consent|cmplz-|cky-|cookies-eu-banner|cookie-?(?:law|(?:banner|bar|consent|notice|popup)(?:[\s_-]|$)))/i
const generatedNames =
  /(?:^|\s)(?:theme-doc-(?:footer|version-badge)|(?:page-metadata|breadcrumb-section|breadcrumbs|printfooter|catlinks|siteSub|contentSub|jump-to-nav|mw-jump-link|VPDocFooter|VPDocAside|toctree-wrapper|pageId|docInfo|edit-(?:link|this-page|page)|last-updated|skip-?links?)(?:\s|$))/

/** Words in the names of parts that are often, and not always, around the text. */
const partNames: [PartReason, RegExp][] = [
  [
    "navigation",
    /(?:^|[\s_-])(?:breadcrumbs?|(?:fil-d?-?)?ariane|arbo(?:rescence)?|pagination|pager|prev-?next|toc|table-of-contents|on-this-page|sommaire|sidebar|sidemenu|menu|navbar|edit-info|copy|tags?-list|footer)(?:[\s_-]|$)/i,
  ],
  ["cookies", /(?:^|[\s_-])(?:cookies?|consent)(?:[\s_-]|$)/i],
  [
    "promotion",
    /(?:^|[\s_-])(?:share|sharing|shared?addy|addtoany|addthis|partag\w{0,4}|r[ée]seaux-sociaux|social|newsletter|feedback|advert(?:isement)?|ads?|promo|popup|banner|related|follow|comments?)(?:[\s_-]|$)/i,
  ],
]
const admonition =
  /admonition|callout|starlight-aside|alert|notice|custom-block|\b(?:note|tip|warning|info|important)\b/i

/** Whether an element stands around the text by its role. */
function isAroundText(element: Element, holdsText: ElementTest): boolean {
  const { name, attribs } = element
  const isAround =
    aroundTags.has(name) || aroundRoles.has(attribs["role"] ?? "") || hasName(element, cookieNames)
  if (name === "footer" && hasAncestor(element, (one) => one.name === "blockquote")) return false
  const isHeader = name === "header" && !hasAncestor(element, isContent)
  return (isAround || isHeader) && !holdsText(element)
}

function partReason(element: Element, page: Page): Reason | undefined {
  const { weights, panels, holdsText } = page
  const { name, attribs } = element
  if (isAroundText(element, holdsText)) return hasName(element, cookieNames) ? "cookies" : "navigation"
  if (panels.isTabList(element)) return "mark"
  if (isGeneratedLabel(element, page.shortText)) return "mark"
  if (holdsText(element) || isInHeading(element)) return undefined
  const weight = weights.of(element)
  if (weight.prose * 2 > weights.total.prose && weight.prose > minMainCharacters) return undefined
  if (hasName(element, generatedNames)) return "navigation"
  if (boxRoles.has(attribs["role"] ?? "")) return panels.isPanel(element) ? undefined : "aside"
  if (name === "aside") return admonition.test(attribs["class"] ?? "") ? undefined : "aside"
  // Some servers wrap every page in one form.
  if (name === "form") return weight.headings > 0 && weight.prose > minBoxCharacters ? undefined : "form"
  if (isContents(element, weight)) return "navigation"
  if (isShareBox(element, weight)) return "promotion"
  const reason = wordReason(element)
  return reason !== undefined && isThin(weight, reason) ? reason : undefined
}

const listTags = words("ul ol table div section")
const minContents = 3

/** A table of contents of the page, whatever it is called: links to places of the page and next to nothing else. */
function isContents({ name }: Element, { prose, linked, links, fragments }: Weight): boolean {
  return listTags.has(name) && fragments >= minContents && fragments === links && prose * 4 < linked
}

/** Links that send a page to others, whatever the box around them and their words are called. */
function isShareBox({ children }: Element, { prose, links, headings }: Weight): boolean {
  if (links === 0 || links > maxShare.links || prose > maxShare.characters) return false
  const own = wordsBesideLinks(children)
  const isLabel = headings === 0 && prose <= maxLabelCharacters
  if (/\d/.test(own) || !(isLabel || inviting.test(own))) return false
  const hrefs = DomUtils.getElementsByTagName("a", children).map(({ attribs }) => attribs["href"] ?? "")
  return (
    hrefs.every((href) => sharing.test(href) || /^(?:#|mailto:\?|javascript:)/i.test(href)) &&
    hrefs.some((href) => sharing.test(href))
  )
}

/** A card or a sentence with such a link says more. */
const maxShare = { links: 20, characters: 60 }
const inviting = /partag|share|sharing|suiv|follow|diffus|envoy|réseau|social|imprim/i

function wordsBesideLinks(nodes: ChildNode[]): string {
  return nodes
    .map((node) =>
      isText(node) ? node.data : isTag(node) && node.name !== "a" ? wordsBesideLinks(node.children) : "",
    )
    .join(" ")
}

const sharing =
  /\/\/(?:[\w.-]{1,40}\.)?(?:facebook\.com\/(?:sharer?|dialog)|(?:twitter|x)\.com\/(?:intent|share)|linkedin\.com\/(?:share|cws|sharing)|pinterest\.\w{2,3}\/pin\/create|reddit\.com\/submit|tumblr\.com\/share|news\.ycombinator\.com\/submitlink|bsky\.app\/intent|wa\.me\/\?|api\.whatsapp\.com\/send|t(?:elegram)?\.me\/share|addtoany\.com\/|mastodonshare\.com|share\.diasporafoundation)|[/?&]share(?:=|\?)/i

/** An aside of this size may be the page's only long text, and the page short. */
const minMainCharacters = 200

/** A box of buttons or fields with more text under its own heading is a section about them. */
const minBoxCharacters = 80
/** Text beside the buttons and fields of a box: « Cette page vous a-t-elle aidé ? ». */
const maxBoxCharacters = 200
/** A label such as « Sur cette page ». */
const maxLabelCharacters = 30

/** Whether an element with such a name holds nothing but links, labels, or fields and buttons. */
function isThin(weight: Weight, reason: PartReason): boolean {
  if (isMostlyLinks(weight)) return true
  const isSection = weight.headings > 0 && weight.prose >= minBoxCharacters
  if (weight.controls > 0 && weight.prose <= maxBoxCharacters && !isSection) return true
  return reason === "navigation" && weight.headings === 0 && weight.prose <= maxLabelCharacters
}

/** The reason that class names give: only the names that prove nothing by themselves. */
function wordReason(element: Element): PartReason | undefined {
  const { class: classes = "" } = element.attribs
  if (classes === "" || isHeading(element) || element.name === "body" || element.name === "html")
    return undefined
  return partNames.find(([, names]) => names.test(classes))?.[0]
}

function hasName({ attribs }: Element, names: RegExp): boolean {
  return names.test(attribs["class"] ?? "") || names.test(attribs["id"] ?? "")
}

/** Sphinx links each heading to the table of contents, by a class of that name. */
function isInHeading(element: Element): boolean {
  const { attribs } = element
  const isNamed =
    attribs["class"] !== undefined || attribs["role"] !== undefined || attribs["id"] !== undefined
  return (
    isHeading(element) || (isNamed && hasAncestor(element, (one) => isHeading(one) || one.name === "pre"))
  )
}

const generatorContent = words(
  "theme-doc-markdown vp-doc sl-markdown-content md-content__inner markdown-section theme-default-content",
)

/** The elements in which each generator puts the text of a page. */
export function isGeneratorContent(element: Element): boolean {
  return hasClass(element, generatorContent)
}

export function isMain({ name, attribs }: Element): boolean {
  return name === "main" || attribs["role"] === "main"
}

function isContent({ name }: Element): boolean {
  return name === "main" || name === "article"
}

/**
 * Elements that hold the page's `main` at any depth; where there is none, its `article`; where there is none either,
 * its h1.
 */
function findContentHolders(nodes: ChildNode[]): ReadonlySet<Element> {
  const mains = [
    (element: Element) =>
      isMain(element) || isGeneratorContent(element) || element.attribs["itemprop"] === "articleBody",
    isContent,
    ({ name }: Element) => name === "h1",
  ]
  for (const test of mains) {
    const holders = new Set<Element>()
    const visit = (node: ChildNode): boolean => {
      if (!isTag(node) || node.name === "dialog") return false
      let holds = false
      for (const child of node.children) if (visit(child)) holds = true
      if (holds || (test(node) && node.name !== "h1")) holders.add(node)
      return holds || test(node)
    }
    if (nodes.filter(visit).length > 0) return holders
  }
  return new Set()
}

/** "TIP" above a tip and "js" above code: the generator put the label there, not the author. */
function isGeneratedLabel(element: Element, shortText: ShortText): boolean {
  const { class: classes = "" } = element.attribs
  if (classes === "") return false
  if (/(?:^|\s)lang(?:\s|$)/.test(classes)) return true
  return (
    /admonition-?(?:title|heading)|custom-block-title|starlight-aside__title/i.test(classes) &&
    /^\s*(?:note|tip|info|warning|danger|caution|important|astuce|remarque|attention|avertissement)\s*$/i.test(
      shortText(element),
    )
  )
}
