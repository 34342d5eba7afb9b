import { type ChildNode, type Element, isTag, isText } from "domhandler"
import { DomUtils } from "htmlparser2"
import { type Detail, detail } from "../../../base/errors.ts"
import type { LeftOut } from "../document.ts"
import type { Judgement } from "./boilerplate.ts"
import { isPageLink, titleLinks } from "./cards.ts"
import { hasClass, isHeading, words } from "./dom.ts"
import type { FlowItem } from "./flow.ts"

/** A page shows one of these while its scripts load its text. */
const waiting =
  /^(?:chargement|loading|veuillez patienter|patientez|please wait|un instant|one moment|initiali[sz]ing)[^\n]{0,40}$/i
const needsScript =
  /(?:activer|enable|requires?|needs?|nécessite)[^\n]{0,60}javascript|javascript[^\n]{0,60}(?:activ|enabl|requ|nécess|désactiv|disabled)/i
const maxNoticeCharacters = 200

/** Why a page whose text was read is no documentation; undefined when it is. */
export function pageObjection(
  roots: ChildNode[],
  items: FlowItem[],
  judgement: Judgement,
  { path }: { path: string },
): LeftOut | undefined {
  const blocks = items.flatMap((item) => (item.kind === "block" ? [item.markdown] : []))
  if (blocks.length === 0 || isNotice(blocks))
    return { leftOut: "empty", detail: whyEmpty(judgement, blocks) }
  if (isListOfPages(roots, blocks, judgement)) return { leftOut: "list", detail: detail("reading.onlyLinks") }
  return isListOfPosts(roots, judgement, path)
    ? { leftOut: "list", detail: detail("reading.listOfPosts") }
    : undefined
}

function isNotice(blocks: string[]): boolean {
  const text = blocks.join(" ")
  return text.length <= maxNoticeCharacters && (waiting.test(text) || needsScript.test(text))
}

function whyEmpty({ whole }: Judgement, blocks: string[]): Detail {
  const hasWords = blocks.length === 0 && whole.prose + whole.linked > 0
  return hasWords ? detail("reading.nothingLeft") : detail("reading.noText")
}

/** A page says something of its own in a paragraph of this length. */
const minOwnCharacters = 60
const minLinks = 3

/** An index, a menu or a table of contents as a page: its links are on the pages themselves. */
function isListOfPages(roots: ChildNode[], blocks: string[], { weights }: Judgement): boolean {
  if (DomUtils.findOne((element) => hasClass(element, indexClasses), roots)) return true
  const sum = { prose: 0, linked: 0, links: 0 }
  for (const root of roots.filter(isTag)) {
    const { prose, linked, links } = weights.of(root)
    sum.prose += prose
    sum.linked += linked
    sum.links += links
  }
  const isMostlyLinks = sum.links >= minLinks && sum.linked > 2 * sum.prose
  // The texts of cards that are links as a whole are short, and together the page's own.
  const texts = [blocks.filter((block) => !block.includes("](")).join(" "), ...blocks]
  return isMostlyLinks && texts.every((text) => withoutLinkTexts(text).length < minOwnCharacters)
}

/** Sphinx's index of all names. */
const indexClasses = words("genindextable modindextable indextable")

function withoutLinkTexts(markdown: string): string {
  return markdown.replace(/\[[^[\]\n]{1,500}\]\([^()\s]{1,2048}\)/g, "").replace(/[\s|*-]+/g, "")
}

const postClass = /(?:^|[\s_-])(?:posts?|hentry|h-entry|blog|excerpt|teaser|archive)(?:[\s_-]|$)/i
/** hAtom’s class of an entry, which SPIP gives to each article of a list. */
const entryClass = /(?:^|\s)h-?entry(?:\s|$)/i
const listClass =
  /(?:^|\s)(?:archive|category|tag|author|date|blog|paged|blog-list-page|blog-tags-\S+)(?:\s|$)/i

/** The address of a list that a generator makes: of tags, of what one author wrote, of a month, a second page. */
const listPath =
  /(?:^|\/)(?:(?:tags?|[ée]tiquettes?|mots?-cl[ée]s?|categor(?:y|ies)|cat[ée]gories?|topics?|series|authors?|auteurs?|archives?)(\/[^/]{1,80})?|page\/\d{1,4}|\d{4}(?:\/\d{1,2}){0,2})$/i
const newsPath = /(?:^|\/)_?(?:posts?|blog|news|actualit[ée]s?|actus?|articles?)$/i

/** A list of posts by date, tag or author: each post has a page of its own. */
function isListOfPosts(roots: ChildNode[], { isSkipped, weights }: Judgement, path: string): boolean {
  const list = listPath.exec(path)
  const isList = list !== null
  // « Les auteurs » may be a page of its own with one link; what one author wrote, or a month, may be one post.
  const least = isList && (list[1] !== undefined || /\d$/.test(path)) ? 1 : 2
  const isEntry = (one: Element) => {
    if (!entryTags.has(one.name) || isSkipped(one) || !leadsOn(one)) return false
    if (one.name === "article") return isList || isPost(one)
    if (isList) return one.name !== "div" || titleLinks(one) || isPost(one)
    const { class: classes = "" } = one.attribs
    if (newsPath.test(path)) return isPost(one)
    return postClass.test(classes) && (isDated(one) || entryClass.test(classes))
  }
  const posts = roots.flatMap((root) => entriesIn(root, isEntry))
  if (posts.length < least) return false
  const textOf = (element: Element) => weights.of(element).prose + weights.of(element).linked
  const inPosts = posts.reduce((sum, post) => sum + textOf(post), 0)
  const inAll = roots.filter(isTag).reduce((sum, root) => sum + textOf(root), 0)
  return inPosts * 2 > inAll
}

const entryTags = words("article li div section tr dt")

/** The elements that hold one entry each: the box around several is none. */
function entriesIn(node: ChildNode, isEntry: (element: Element) => boolean): Element[] {
  if (!isTag(node)) return []
  const inside = node.children.flatMap((child) => entriesIn(child, isEntry))
  return inside.length < 2 && isEntry(node) ? [node] : inside
}

/** Whether it leads to a page, by its title or, without one, by a link that is no word of a sentence. */
function leadsOn(one: Element): boolean {
  if (DomUtils.findOne(isHeading, one.children)) return titleLinks(one)
  return DomUtils.findOne((link) => isPageLink(link) && !isInSentence(link), one.children) !== null
}

/** Behind other words than a date. */
function isInSentence({ prev }: Element): boolean {
  const before = prev && isText(prev) ? prev.data.slice(-40).trimEnd() : ""
  return /\p{L}[,’']?$/u.test(before) && !/\d{1,4}(?:er)? \p{L}{3,9}$/u.test(before)
}

function isPost(post: Element): boolean {
  if (postClass.test(post.attribs["class"] ?? "") || isDated(post)) return true
  for (let { parent } = post; parent && isTag(parent); parent = parent.parent)
    if (listClass.test(parent.attribs["class"] ?? "")) return true
  return false
}

function isDated(post: Element): boolean {
  return DomUtils.findOne(({ name }) => name === "time", post.children) !== null
}
