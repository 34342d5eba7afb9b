import { element, icon, icons } from "./element.ts"
import type { Memory } from "./memory.ts"
import { ownDocument } from "./own.ts"
import type { Settings } from "./settings.ts"
import { squeezedCss } from "./style.ts" with { type: "macro" }
import type { Language, WidgetWords } from "./words.fr.ts"

export interface Panel {
  talk: HTMLElement
  field: HTMLTextAreaElement
  open(): void
  close(): void
  /** Shows the status, and announces it to screen readers. */
  tell(status: string, working?: boolean): void
  /** Shows a problem at the field; an empty text removes it. */
  objectTo(problem: string): void
  add(article: HTMLElement): void
  empty(): void
  /** Where the visitor is. */
  place(): Place
  /** Brings the visitor back there. */
  resume(place: Place): void
}

type Place = Pick<Memory, "open" | "scroll" | "draft">

interface PanelOptions {
  language: Language
  says: WidgetWords
  /** The tag's; the owner's stands in the settings. */
  theme: string | undefined
  /** Letter that opens the panel together with Ctrl or ⌘. */
  shortcut: string | undefined
  settings: Settings
  opened(): void
}

/** There, the panel fills the window, as in widget.css. */
const narrow = "(max-width: 30em)"

type Ask = (question: string) => Promise<void>

export function buildPanel(
  { language, says, theme, shortcut, settings, opened }: PanelOptions,
  { ask, renew }: { ask: Ask; renew(): void },
): Panel {
  const { search } = settings
  const [section, opener, dialog, closer, renewer, talk, intro, status, form, field, sender, problem] =
    buildParts(says, settings, ask)
  const host = buildHost(language, theme, settings, [section, dialog])

  opener.addEventListener("click", open)
  closer.addEventListener("click", close)
  renewer.addEventListener("click", renew)
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void ask(field.value)
  })
  submitOnEnter(field, form)
  field.addEventListener("input", () => objectTo(""))
  const letter = shortcut || (search && "k")
  if (letter) openOnShortcut(letter, opener, search === true, open)
  const observer = new MutationObserver(keepOnPage)
  observer.observe(document, { childList: true })
  keepOnPage()

  return { talk, field, open, close, tell, objectTo, add, empty, place, resume }

  function open(): void {
    followPage(host)
    dialog.setAttribute("closedby", "any")
    if (!dialog.open) dialog.showModal()
    field.focus()
    if (search) opened()
  }

  function close(): void {
    dialog.close()
  }

  // A class, because WebKit does not see that `:has()` became true or false in a shadow root.
  function add(article: HTMLElement): void {
    talk.append(article)
    dialog.classList.add("begun")
  }

  function empty(): void {
    talk.replaceChildren(intro)
    dialog.className = ""
    tell("")
    field.focus()
  }

  function place(): Place {
    return { open: dialog.open, scroll: talk.scrollTop, draft: field.value }
  }

  /** Without taking the focus, since the visitor came to read the page; closed where it would hide it. */
  function resume({ open, scroll, draft }: Place): void {
    field.value = draft
    if (open && !matchMedia(narrow).matches) {
      dialog.setAttribute("closedby", "closerequest")
      dialog.inert = true
      dialog.show()
      dialog.inert = false
    }
    talk.scrollTop = scroll
  }

  /** When a site replaces the body: an open panel then stands beside it, as after a change of page. */
  function keepOnPage(): void {
    const { body, documentElement } = ownDocument
    observer.observe(documentElement, { childList: true })
    if (!body || host.parentNode === body) return
    const here = place()
    // A dialog removed from the page still counts as open and could not be opened again.
    dialog.close()
    body.append(host)
    followPage(host)
    observer.observe(body, { childList: true })
    resume(here)
    if (here.open) field.focus()
  }

  function tell(text: string, working = false): void {
    status.textContent = text
    status.classList.toggle("working", working)
    sender.setAttribute("aria-disabled", String(working))
  }

  function objectTo(text: string): void {
    problem.textContent = text
    field.setAttribute("aria-invalid", String(text !== ""))
    if (text) field.focus()
  }
}

function buildHost(
  language: Language,
  theme: string | undefined,
  settings: Settings,
  parts: readonly HTMLElement[],
): HTMLElement {
  const host = ownDocument.createElement("guichet-widget")
  host.lang = language
  host.dataset["theme"] = theme || settings.theme || ""
  host.dataset["position"] = settings.position || ""
  const root = host.attachShadow({ mode: "open" })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(squeezedCss("answer.css", "widget.css") + (settings.style ?? ""))
  root.adoptedStyleSheets = [sheet]
  root.append(...parts)
  return host
}

/** A tuple, because its names would cost the script 100 bytes. */
function buildParts(says: WidgetWords, settings: Settings, ask: Ask) {
  const opener = element(
    "button",
    { part: "button", "aria-haspopup": "dialog" },
    icon(icons.ask),
    settings.button || says.open,
  )
  const closer = element("button", { "aria-label": says.close }, icon(icons.close))
  const renewer = element("button", { class: "renew", title: says.renew }, icon(icons.renew))
  const intro = element("div", { class: "intro" }, element("p", {}, settings.introduction || says.intro))
  if (settings.suggestions?.length) intro.append(choices(settings.suggestions, ask))
  const talk = element("div", { class: "talk" }, intro)
  const status = element("p", { class: "status", role: "status" })
  const problem = element("p", { id: "problem" })
  const field = element("textarea", {
    id: "question",
    rows: "2",
    maxlength: "1000",
    autofocus: "",
    enterkeyhint: "send",
    "aria-describedby": "problem notice",
  })
  const label = element("label", { for: "question" }, says.question)
  const sender = element(
    "button",
    { type: "submit", "aria-label": says.send, title: says.send },
    icon(icons.send),
  )
  const form = element(
    "form",
    { novalidate: "" },
    label,
    element("div", { class: "line" }, field, sender),
    problem,
  )
  const title = settings.title || says.assistant
  const dialog = element(
    "dialog",
    { "aria-labelledby": "title" },
    // No `header`: the page has a banner of its own.
    element("div", { class: "head" }, element("h2", { id: "title" }, title), renewer, closer),
    talk,
    status,
    form,
    element("p", { id: "notice" }, says.notice),
  )
  const section = element("section", { "aria-label": title }, opener)
  return [
    section,
    opener,
    dialog,
    closer,
    renewer,
    talk,
    intro,
    status,
    form,
    field,
    sender,
    problem,
  ] as const
}

function submitOnEnter(field: HTMLElement, form: HTMLFormElement): void {
  field.addEventListener("keydown", (event) => {
    // Enter also ends the composition of a character (input methods); that must not send the question.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return
    event.preventDefault()
    form.requestSubmit()
  })
}

function choices(suggestions: readonly string[], ask: Ask): HTMLElement {
  const buttons = suggestions.map((question) => {
    const button = element("button", {}, question)
    button.addEventListener("click", () => ask(question))
    return button
  })
  return element("div", { class: "choices" }, ...buttons)
}

/** A page that says nothing of `color-scheme` may have themes all the same: the visitor's system decides. */
function followPage(host: HTMLElement): void {
  const { colorScheme } = getComputedStyle(ownDocument.body)
  const isUntold = colorScheme === "normal" && !ownDocument.querySelector("meta[name=color-scheme]")
  host.toggleAttribute("untold", isUntold)
}

/** No key opens it alone (RGAA 12.10). Where the panel begins with a search, the keys of a field stay the field's. */
function openOnShortcut(letter: string, opener: HTMLElement, search: boolean, open: () => void): void {
  const big = letter.toUpperCase()
  opener.setAttribute("aria-keyshortcuts", `Control+${big} Meta+${big}`)
  ownDocument.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    const [target] = event.composedPath() as [HTMLElement]
    const isField = "value" in target || target.isContentEditable
    const isWanted = key.toUpperCase() === big && ctrlKey !== metaKey && !shiftKey && !altKey
    if (!isWanted || (search && isField)) return
    event.preventDefault()
    open()
  })
}
