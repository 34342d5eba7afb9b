import { element, icon, icons } from "./element.ts"
import type { Language, WidgetMessages } from "./messages.fr.ts"
import { squeezedCss } from "./style.ts" with { type: "macro" }

/** The visible part of the widget. */
export interface Panel {
  /** The element on the page; everything else is in its shadow tree. */
  host: HTMLElement
  talk: HTMLElement
  field: HTMLTextAreaElement
  open(): void
  close(): void
  /** Shows the status, and announces it to screen readers. */
  tell(status: string, working?: boolean): void
  /** Shows a problem at the field; an empty text removes it. */
  objectTo(problem: string): void
}

interface PanelOptions {
  language: Language
  says: WidgetMessages
  theme: string | undefined
  /** Letter that opens the panel together with Ctrl or ⌘. */
  shortcut: string | undefined
}

/**
 * Builds the button and the dialog it opens. Calls `onQuestion` with each question that the visitor sends.
 */
export function buildPanel(
  { language, says, theme, shortcut }: PanelOptions,
  onQuestion: (text: string) => void,
): Panel {
  const host = document.createElement("guichet-widget")
  host.lang = language
  if (theme) host.dataset["theme"] = theme
  const root = host.attachShadow({ mode: "open" })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(squeezedCss())
  root.adoptedStyleSheets = [sheet]

  const opener = element(
    "button",
    { type: "button", part: "button", "aria-haspopup": "dialog" },
    icon(icons.ask),
    says.open,
  )
  const closer = element("button", { type: "button", "aria-label": says.close }, icon(icons.close))
  const talk = element("div", { class: "talk" }, element("p", { class: "intro" }, says.intro))
  const status = element("p", { class: "status", role: "status" })
  const problem = element("p", { class: "problem", id: "problem" })
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
  const title = element("h2", { id: "title" }, says.assistant)
  const dialog = element(
    "dialog",
    { "aria-labelledby": "title", closedby: "any" },
    element("header", {}, title, closer),
    talk,
    status,
    form,
    element("p", { class: "notice", id: "notice" }, says.notice),
  )
  root.append(element("section", { "aria-label": says.assistant }, opener), dialog)

  opener.addEventListener("click", open)
  closer.addEventListener("click", close)
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    onQuestion(field.value)
  })
  field.addEventListener("keydown", (event) => {
    // Enter also ends the composition of a character (input methods); that must not send the question.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return
    event.preventDefault()
    form.requestSubmit()
  })
  field.addEventListener("input", () => objectTo(""))
  if (shortcut) openOnShortcut(shortcut)
  keepOnPage(host, dialog)

  return { host, talk, field, open, close, tell, objectTo }

  function open(): void {
    if (!dialog.open) dialog.showModal()
    field.focus()
  }

  function close(): void {
    dialog.close()
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

  function openOnShortcut(letter: string): void {
    opener.setAttribute("aria-keyshortcuts", `Control+${letter.toUpperCase()} Meta+${letter.toUpperCase()}`)
    document.addEventListener("keydown", (event) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event
      if (key.toLowerCase() !== letter.toLowerCase() || ctrlKey === metaKey || altKey || shiftKey) return
      event.preventDefault()
      open()
    })
  }
}

/**
 * Puts the widget back, with its conversation, when a single-page site replaces the body or all its content.
 */
function keepOnPage(host: HTMLElement, dialog: HTMLDialogElement): void {
  const observer = new MutationObserver(place)
  observer.observe(document.documentElement, { childList: true })
  place()

  function place(): void {
    const { body } = document
    if (!body || host.isConnected) return
    // A dialog removed from the page still counts as open and could not be opened again.
    dialog.close()
    body.append(host)
    observer.observe(body, { childList: true })
  }
}
