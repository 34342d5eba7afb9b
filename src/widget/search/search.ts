import { element } from "../element.ts"
import { ownDocument } from "../own.ts"
import type { Panel } from "../panel.ts"
import { readFailure } from "../reply.ts"
import { squeezedCss } from "../style.ts" with { type: "macro" }
import { type Language, searchWords } from "../words.fr.ts"
import { type FoundPage, pageOptions } from "./options.ts"

export interface SearchOptions {
  service: string
  project: string
  language: Language
  panel: Panel
  ask(question: string): Promise<void>
}

/** Shows the search while nothing was asked yet, and gives it the focus. */
export type ShowSearch = (options: SearchOptions) => void

/** A reply comes while one goes on typing. */
const pauseMs = 120
const timeoutMs = 10_000
const maxQueryLength = "200"

/** Each panel has one search. */
const fields = new WeakMap<Element, HTMLInputElement>()

const showSearch: ShowSearch = (options) => {
  const { talk, field } = options.panel
  const existing = fields.get(talk)
  // A visitor who has begun to write a question goes on with it.
  if (!existing && (field.value || talk.children.length > 1)) return
  const input = existing ?? build(options)
  fields.set(talk, input)
  input.focus()
}

/** A combobox with a list of options (ARIA Authoring Practices): the focus stays in the field. */
function build(options: SearchOptions): HTMLInputElement {
  const { language, panel, ask } = options
  const says = searchWords[language]
  const { talk, close } = panel
  const [input, count, list, place] = buildParts(says)
  style(talk.getRootNode() as ShadowRoot)
  talk.before(place)

  let pages: FoundPage[] = []
  let active = 0
  let running: AbortController | undefined
  /** Enter was pressed before the reply came. */
  let isWanted = false

  input.addEventListener("input", () => {
    running?.abort()
    isWanted = false
    if (typed()) void search()
    else show([], "")
  })
  input.addEventListener("keydown", (event) => {
    const { key, isComposing } = event
    if (isComposing) return
    const elements = optionElements()
    if (key === "Enter") {
      event.preventDefault()
      if (running) isWanted = true
      else clickOption(elements[active], close, event)
    } else if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault()
      const step = key === "ArrowDown" ? 1 : elements.length - 1
      if (elements.length > 0) activate((active + step) % elements.length)
    }
  })
  // The first state comes back with a new conversation.
  place.parentElement?.querySelector(".renew")?.addEventListener("click", () => input.focus())
  return input

  function typed(): string {
    return input.value.trim()
  }

  function optionElements(): HTMLElement[] {
    return [...list.querySelectorAll<HTMLElement>("[role=option]")]
  }

  /** A later search ends this one, so that no reply comes after that of what is typed now. */
  async function search(): Promise<void> {
    const own = new AbortController()
    running = own
    show(pages, count.textContent)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    if (own.signal.aborted) return
    // Safari got `any` later than `timeout`: without it, a search waits as long as the browser does.
    const signal = AbortSignal.any?.([own.signal, AbortSignal.timeout(timeoutMs)]) ?? own.signal
    const reply = await findPages(options, typed(), signal)
    if (own.signal.aborted) return
    running = undefined
    if (typeof reply === "string") show([], reply)
    else show(reply, reply.length > 0 ? says.found(reply.length) : says.none)
    if (isWanted) clickOption(optionElements()[active], close)
    isWanted = false
  }

  function show(items: FoundPage[], status: string): void {
    pages = items
    const q = typed()
    const groups = q ? pageOptions(items) : []
    const asking = element("div", { role: "option" }, says.ask(q))
    asking.addEventListener("click", () => {
      running?.abort()
      running = undefined
      input.value = ""
      show([], "")
      void ask(q)
    })
    list.replaceChildren(...groups, ...(q ? [asking] : []))
    for (const [at, option] of optionElements().entries()) {
      option.id = `found-${at}`
      option.addEventListener("pointermove", () => activate(at, false))
    }
    count.textContent = status
    place.classList.toggle("searched", q !== "")
    input.setAttribute("aria-expanded", String(q !== ""))
    // Who ends with a question mark asks.
    activate(q.endsWith("?") ? optionElements().length - 1 : 0)
  }

  function activate(at: number, isSeen = true): void {
    active = at
    input.removeAttribute("aria-activedescendant")
    for (const [n, option] of optionElements().entries()) {
      option.setAttribute("aria-selected", String(n === at))
      if (n !== at) continue
      input.setAttribute("aria-activedescendant", option.id)
      if (isSeen) option.scrollIntoView({ block: "nearest" })
    }
  }
}

function buildParts(says: (typeof searchWords)[Language]) {
  const input = element("input", {
    id: "search",
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    enterkeyhint: "search",
    maxlength: maxQueryLength,
    "aria-autocomplete": "list",
    "aria-controls": "found",
    "aria-expanded": "false",
  })
  const label = element("label", { for: "search" }, says.search)
  const count = element("p", { class: "count", role: "status" })
  const list = element("div", { id: "found", role: "listbox", "aria-label": says.results })
  const place = element("div", { class: "search" }, label, input, count, list)
  return [input, count, list, place] as const
}

/** The pages, or the sentence that says why none can be had. */
async function findPages({ service, project, language }: SearchOptions, q: string, signal: AbortSignal) {
  try {
    const response = await fetch(`${service}api/v1/search`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ project, q, page: location.pathname.slice(0, 512) }),
      signal,
    })
    const body = await response.json()
    return response.ok ? body.items : (readFailure(body)?.sentence ?? searchWords[language].failed)
  } catch {
    return searchWords[language].failed
  }
}

function clickOption(
  option: HTMLElement | undefined,
  close: () => void,
  { ctrlKey = false, metaKey = false } = {},
): void {
  option?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey }))
  if (option instanceof HTMLAnchorElement && option.href.split("#")[0] === location.href.split("#")[0])
    close()
}

function style(root: ShadowRoot): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(squeezedCss("search/search.css"))
  root.adoptedStyleSheets.push(sheet)
}

// Browser code, loaded by the widget once the panel is opened: hands its one function to the widget.
ownDocument.currentScript?.dispatchEvent(new CustomEvent("guichet", { detail: showSearch }))
