import { type ChildNode, type Element, isTag } from "domhandler"
import { DomUtils } from "htmlparser2"
import { type Detail, detail } from "../../../base/errors.ts"
import type { LeftOut } from "../document.ts"
import type { Judgement } from "./boilerplate.ts"
import { hasClass, isHeading, topmost, words } from "./dom.ts"
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
): LeftOut | undefined {
  const blocks = items.flatMap((item) => (item.kind === "block" ? [item.markdown] : []))
  if (blocks.length === 0 || isNotice(blocks))
    return { leftOut: "empty", detail: whyEmpty(judgement, blocks) }
  if (isListOfPages(roots, blocks, judgement)) return { leftOut: "list", detail: detail("reading.onlyLinks") }
  return isListOfPosts(roots, judgement)
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
  return isMostlyLinks && blocks.every((block) => withoutLinkTexts(block).length < minOwnCharacters)
}

/** Sphinx's index of all names. */
const indexClasses = words("genindextable modindextable indextable")

function withoutLinkTexts(markdown: string): string {
  return markdown.replace(/\[[^[\]\n]{1,500}\]\([^()\s]{1,2048}\)/g, "").replace(/[\s|*-]+/g, "")
}

const postClass = /(?:^|[\s_-])(?:posts?|hentry|h-entry|blog|excerpt|teaser|archive)(?:[\s_-]|$)/i
const listClass =
  /(?:^|\s)(?:archive|category|tag|author|date|blog|paged|blog-list-page|blog-tags-\S+)(?:\s|$)/i

/** A list of posts by date or by tag: each post has a page of its own. */
function isListOfPosts(roots: ChildNode[], { isSkipped, weights }: Judgement): boolean {
  const posts = roots.flatMap((root) =>
    isTag(root) ? topmost(root.children, (one) => one.name === "article" && !isSkipped(one)) : [],
  )
  const linked = posts.filter((post) => titleLinks(post) && isPost(post))
  if (linked.length < 2) return false
  const inPosts = linked.reduce((sum, post) => sum + weights.of(post).prose, 0)
  const inAll = roots.filter(isTag).reduce((sum, root) => sum + weights.of(root).prose, 0)
  return inPosts * 2 > inAll
}

function titleLinks(post: Element): boolean {
  const heading = DomUtils.findOne(isHeading, post.children)
  const isLink = ({ name, attribs }: Element) => name === "a" && /^[^#]/.test(attribs["href"] ?? "")
  if (!heading) return false
  const { parent } = heading
  return (
    DomUtils.findOne(isLink, heading.children) !== null ||
    (parent !== null && isTag(parent) && isLink(parent))
  )
}

function isPost(post: Element): boolean {
  if (postClass.test(post.attribs["class"] ?? "")) return true
  if (DomUtils.findOne(({ name }) => name === "time", post.children)) return true
  for (let { parent } = post; parent && isTag(parent); parent = parent.parent)
    if (listClass.test(parent.attribs["class"] ?? "")) return true
  return false
}
