import { type AnswerContent, named, pageLink } from "../answer.ts"
import { element } from "../element.ts"
import type { Exchange } from "../memory.ts"
import { ownDocument } from "../own.ts"
import type { RelatedPage } from "../reply.ts"
import { squeezedCss } from "../style.ts" with { type: "macro" }
import { type Language, relatedWords } from "../words.fr.ts"

export interface RelatedOptions {
  service: string
  language: Language
  exchange: Exchange
  /** Where question and answer stand; every id in it begins with `key`. */
  article: HTMLElement
  key: string
  nodesOf(answer: AnswerContent, key: string): HTMLElement[]
  panel: { close(): void; tell(status: string): void }
}

/** Shows the pages that may help in place of an answer, or the passages that come next beside it. Never rejects. */
export type ShowRelated = (options: RelatedOptions) => Promise<void>

/** The answer stands already, so that the visitor does not wait for this request. */
const timeoutMs = 10_000
/** Characters of a passage that are shown before it is opened. */
const firstLines = /^[\s\S]{0,100}(?=\s|$)/

const styled = new WeakSet<ShadowRoot>()

const showRelated: ShowRelated = async (options) => {
  const { service, language, exchange, article, panel } = options
  const { reply, related } = exchange
  const says = relatedWords[language]
  const pages = related ?? (await relatedTo(service, reply.id))
  const root = article.getRootNode()
  // A visitor who has begun anew is done with it.
  if (!(root instanceof ShadowRoot)) return
  const isAnswered = reply.status === "answered"
  const isLatest = !article.nextElementSibling && !related
  if (pages.length > 0) {
    exchange.related = pages
    style(root)
    article.querySelector(isAnswered ? ".feedback" : ".answer")?.after(places(pages, options))
    if (isLatest && !isAnswered) panel.tell(says.unansweredWithPages(pages.length))
  }
  if (isAnswered) return
  // By now, a way to write stands there too; a visitor who has chosen it stays there.
  if (isLatest && !article.matches(":focus-within")) article.scrollIntoView()
}

/** Each opens in its place. In place of an answer, the first stands open, said as what it is. */
function places(pages: RelatedPage[], { service, language, exchange, key, nodesOf, panel }: RelatedOptions) {
  const says = relatedWords[language]
  const id = `${key}-next`
  const { reply } = exchange
  const isAnswered = reply.status === "answered"
  const places = pages.map((page, at) => {
    const link = pageLink(page, {}, panel.close)
    const tell = () => tellOpened(service, reply.id, at + 1)
    if (!page.excerpt || (!isAnswered && at === 0)) link.addEventListener("click", tell, { once: true })
    if (!page.excerpt) return element("p", {}, link)
    const nodes = nodesOf({ answer: page.excerpt, sources: [] }, `${id}-${at}`)
    const source = element("p", {}, `${says.source} `, link)
    if (!isAnswered && at === 0) return element("div", {}, ...nodes, source)
    const [lines = ""] = firstLines.exec(joinedText(nodes)) ?? []
    const summary = named(element("summary"), page)
    summary.append(element("span", { class: "lines" }, `${lines}…`))
    const place = element("details", {}, summary, ...nodes, source)
    place.addEventListener("toggle", () => place.scrollIntoView({ block: "nearest" }))
    place.addEventListener("toggle", tell, { once: true })
    return place
  })
  const label = element("p", { id, class: "label" }, isAnswered ? says.other : says.related)
  return element("div", { class: "sources next", role: "group", "aria-labelledby": id }, label, ...places)
}

function joinedText(nodes: HTMLElement[]): string {
  return nodes
    .flatMap((node) => [...node.querySelectorAll("p, li, pre, th, td")])
    .filter((one) => !one.parentElement?.closest("li"))
    .map((one) => one.textContent)
    .join(" ")
}

/** Pages that may help, or passages that come next; none when they cannot be had. */
async function relatedTo(service: string, answerId: string): Promise<RelatedPage[]> {
  try {
    const response = await fetch(`${service}api/v1/answers/${encodeURIComponent(answerId)}/related`, {
      method: "POST",
      signal: AbortSignal.timeout?.(timeoutMs),
    })
    return (await response.json()).items ?? []
  } catch {
    return []
  }
}

/** Sent without waiting for it, also while the page is left. The service counts each passage of an answer once. */
function tellOpened(service: string, answerId: string, n: number): void {
  fetch(`${service}api/v1/answers/${encodeURIComponent(answerId)}/opened`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ n }),
    keepalive: true,
  }).catch(() => {})
}

function style(root: ShadowRoot): void {
  if (styled.has(root)) return
  styled.add(root)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(squeezedCss("related/related.css"))
  root.adoptedStyleSheets.push(sheet)
}

// Browser code, loaded by the widget once an answer stands: hands its one function over.
ownDocument.currentScript?.dispatchEvent(new CustomEvent("guichet", { detail: showRelated }))
