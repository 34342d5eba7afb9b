import { element } from "./element.ts"
import { appendMarkdown } from "./markdown/markdown.ts"
import type { WidgetMessages } from "./messages.fr.ts"
import type { RelatedPage, Reply, Source } from "./reply.ts"

type AnswerContent = Pick<Reply, "answer" | "sources">

/**
 * The text of an answer, with its sources below it. `key` is unique to this answer; every id in it begins
 * with it. `onLeave` is called when the visitor follows a source on the very page that is open.
 */
export function answerNodes(
  { answer, sources }: AnswerContent,
  key: string,
  says: WidgetMessages,
  onLeave: () => void,
): HTMLElement[] {
  const text = element("div", { class: "answer" })
  appendMarkdown(text, answer, says, (n) => {
    const source = sources.find((one) => one.n === n)
    return source && marker(source, key, says)
  })
  return sources.length === 0 ? [text] : [text, sourceList(sources, key, says, onLeave)]
}

/**
 * A link to a source. No address reaches into the shadow tree, so the focus is moved by hand. The whole
 * address in `href` keeps the link from being taken for a skip link of the page.
 */
function marker({ n, title }: Source, key: string, says: WidgetMessages): HTMLElement {
  const id = idOf(key, n)
  const link = element(
    "a",
    { href: location.href.replace(/#.*|$/, `#${id}`), "aria-label": says.source(n, title) },
    String(n),
  )
  link.addEventListener("click", (event) => {
    event.preventDefault()
    const target = (link.getRootNode() as ShadowRoot).getElementById(id)
    target?.focus()
  })
  return element("sup", {}, link)
}

function sourceList(sources: Source[], key: string, says: WidgetMessages, onLeave: () => void): HTMLElement {
  const headingId = `${key}-sources`
  const list = element("ol", { "aria-labelledby": headingId })
  for (const source of sources) {
    const attributes = { id: idOf(key, source.n), tabindex: "-1" }
    const item = element("li", {}, pageLink(source, attributes, onLeave))
    item.value = source.n
    list.append(item)
  }
  return element("div", { class: "sources" }, element("h4", { id: headingId }, says.sources), list)
}

/** Links to pages that may help, below an answer that says that the documentation does not answer. */
export function relatedList(
  pages: RelatedPage[],
  key: string,
  says: WidgetMessages,
  onLeave: () => void,
): HTMLElement {
  const headingId = `${key}-related`
  const items = pages.map((page) => element("li", {}, pageLink(page, {}, onLeave)))
  const list = element("ul", { "aria-labelledby": headingId }, ...items)
  return element("div", { class: "sources" }, element("h4", { id: headingId }, says.related), list)
}

/**
 * Isolates each title by `bdi`: characters that turn the direction of one text must not reorder its
 * neighbours.
 */
function pageLink(
  { title, section, url }: RelatedPage,
  attributes: Record<string, string>,
  onLeave: () => void,
): HTMLElement {
  const content = [element("bdi", {}, title)]
  if (section && section !== title) content.push(element("bdi", { class: "section" }, section))
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (!address || !/^https?:$/.test(address.protocol)) return element("span", attributes, ...content)
  const { tabindex: _, ...focusable } = attributes
  const link = element("a", { ...focusable, href: address.href, rel: "noopener" }, ...content)
  link.addEventListener("click", () => {
    if (address.href.split("#")[0] === location.href.split("#")[0]) onLeave()
  })
  return link
}

function idOf(key: string, n: number): string {
  return `${key}-source-${n}`
}
