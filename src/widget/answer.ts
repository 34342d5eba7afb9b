import { element } from "./element.ts"
import { appendMarkdown } from "./markdown.ts"
import type { WidgetMessages } from "./messages.fr.ts"
import type { Reply, Source } from "./reply.ts"

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
    const item = element("li", {}, sourceLink(source, idOf(key, source.n), onLeave))
    item.value = source.n
    list.append(item)
  }
  return element("div", { class: "sources" }, element("h4", { id: headingId }, says.sources), list)
}

/**
 * Isolates each title by `bdi`: characters that turn the direction of one text must not reorder its
 * neighbours.
 */
function sourceLink({ title, section, url }: Source, id: string, onLeave: () => void): HTMLElement {
  const content = [element("bdi", {}, title)]
  if (section && section !== title) content.push(element("bdi", { class: "section" }, section))
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (!address || !/^https?:$/.test(address.protocol))
    return element("span", { id, tabindex: "-1" }, ...content)
  const link = element("a", { id, href: address.href }, ...content)
  link.addEventListener("click", () => {
    if (address.href.split("#")[0] === location.href.split("#")[0]) onLeave()
  })
  return link
}

function idOf(key: string, n: number): string {
  return `${key}-source-${n}`
}
