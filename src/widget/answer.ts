import { element } from "./element.ts"
import { appendMarkdown } from "./markdown/markdown.ts"
import type { RelatedPage, Reply, Source } from "./reply.ts"
import type { AnswerWords } from "./words.fr.ts"

export type AnswerContent = Pick<Reply, "answer" | "sources">

/** Every id in it begins with `key`. `onLeave`: a source on the very page that is open is followed. */
export function answerNodes(
  { answer, sources }: AnswerContent,
  key: string,
  says: AnswerWords,
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
function marker({ n, title }: Source, key: string, says: AnswerWords): HTMLElement {
  const id = sourceId(key, n)
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

function sourceList(sources: Source[], key: string, says: AnswerWords, onLeave: () => void): HTMLElement {
  const items = sources.map((source) =>
    element("li", { value: String(source.n) }, pageLink(source, { id: sourceId(key, source.n) }, onLeave)),
  )
  const id = `${key}-sources`
  const list = element("ol", { "aria-labelledby": id }, ...items)
  return element("div", { class: "sources" }, element("p", { id, class: "label" }, says.sources), list)
}

export function pageLink(
  page: RelatedPage,
  attributes: Record<string, string>,
  onLeave: () => void,
): HTMLElement {
  const link = named(element("a", { ...attributes, href: page.url, rel: "noopener" }), page)
  // A marker moves the focus to its source, whether that is a link or not.
  if (!/^https?:\/\//i.test(page.url))
    return element("span", { ...attributes, tabindex: "-1" }, ...link.childNodes)
  link.addEventListener("click", () => {
    if (link.href.split("#")[0] === location.href.split("#")[0]) onLeave()
  })
  return link
}

/**
 * The element with the page's name in it. Isolates each title by `bdi`: characters that turn the direction of one text
 * must not reorder its neighbours.
 */
export function named<Named extends HTMLElement>(place: Named, { title, section }: RelatedPage): Named {
  place.append(element("bdi", {}, title))
  if (section && section !== title) place.append(element("bdi", { class: "section" }, section))
  return place
}

function sourceId(key: string, n: number): string {
  return `${key}-source-${n}`
}
