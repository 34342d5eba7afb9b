import { element } from "../element.ts"
import { clearProblems, prepareStyle, showSentence, showSuccess } from "../form/problems.ts"
import { type SubmitState, submitForm } from "../form/submit.ts"
import { contactMessages, formMessages, type Language } from "../messages.fr.ts"
import type { Source } from "../reply.ts"
import { squeezedCss } from "../style.ts" with { type: "macro" }
import { check, tellSolved } from "./check.ts"

export interface ContactOptions {
  service: string
  project: string
  language: Language
  /** Stands where the form is to stand, and comes back when the form is put away. */
  place: HTMLElement
  question: string
  /** The answer that the visitor has read. */
  answerId: string
  /** The nodes of an answer, as the widget shows them. */
  nodesOf(answer: { answer: string; sources: Source[] }, key: string): HTMLElement[]
}

/** Shows the form. Rejects when it cannot be had. */
export type ShowContact = (options: ContactOptions) => Promise<void>

interface Described {
  form: string
  html: string
  field: string | null
  started: string
}

const styled = new WeakSet<ShadowRoot>()
let count = 0

const showContact: ShowContact = async ({
  service,
  project,
  language,
  place,
  question,
  answerId,
  nodesOf,
}) => {
  const says = contactMessages[language]
  const root = place.getRootNode() as ShadowRoot
  const described = await describe(`${service}api/v1/projects/${project}/contact`)
  const form = formOf(described.html)
  const field = form.querySelector<HTMLTextAreaElement>(`[name="${described.field}"]`)
  if (field) field.value = question
  form.noValidate = true
  style(root)

  const key = `contact-${++count}`
  const heading = element("h4", { id: key }, says.title)
  const cancel = element("button", { type: "button", class: "quiet" }, says.cancel)
  const section = element("section", { class: "contact", "aria-labelledby": key }, heading, form)
  form.querySelector("[type=submit]")?.after(cancel)
  place.hidden = true
  place.after(section)
  const dialog = root.querySelector("dialog")
  dialog?.classList.add("writing")
  section.scrollIntoView()
  firstControl(form)?.focus()

  const state: SubmitState = { started: described.started, last: undefined }
  let isBusy = false
  let isChecked = false
  form.addEventListener("input", ({ target }) => clearProblems(target))
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    if (isBusy) return
    isBusy = true
    await send(event.submitter)
    isBusy = false
  })
  cancel.addEventListener("click", () => {
    section.remove()
    place.hidden = false
    dialog?.classList.remove("writing")
    place.querySelector("button")?.focus()
  })

  async function send(submitter: HTMLElement | null): Promise<void> {
    const text = field?.value.trim() ?? ""
    // The question itself was just asked. A form with a fault is told its faults first.
    if (!isChecked && text.length > 1 && text !== question && form.checkValidity()) {
      isChecked = true
      showSentence(form, says.checking, "status")
      const found = await check(service, project, text)
      if (found) return offer(found)
    }
    const address = `${service}f/${described.form}`
    const sent = await submitForm(form, address, submitter, state, formMessages[language], {
      guichet_answer: answerId,
    })
    if (sent) finish(form.dataset["success"] || sent.thanks || formMessages[language].sent, sent.more)
  }

  function offer(found: { answer: string; sources: Source[] }): void {
    const yes = element("button", { type: "button" }, says.yes)
    const no = element("button", { type: "button", class: "quiet" }, says.no)
    const title = element("h4", { id: `${key}-offer`, tabindex: "-1" }, says.isThis)
    const offered = element(
      "section",
      { class: "offer", "aria-labelledby": `${key}-offer` },
      title,
      ...nodesOf(found, `${key}-answer`),
      element("p", { class: "choices" }, yes, no),
    )
    showSentence(form, "", "status")
    form.after(offered)
    offered.scrollIntoView()
    title.focus()
    yes.addEventListener("click", () => {
      tellSolved(service, project)
      finish(says.solved)
    })
    no.addEventListener("click", () => {
      offered.remove()
      form.requestSubmit()
    })
  }

  function finish(...sentences: (string | undefined)[]): void {
    cancel.remove()
    section.querySelector(".offer")?.remove()
    dialog?.classList.remove("writing")
    showSuccess(form, sentences)
  }
}

async function describe(address: string): Promise<Described> {
  const response = await fetch(address, { signal: AbortSignal.timeout(10_000) })
  if (!response.ok) throw new Error(String(response.status))
  return await response.json()
}

/** The service's own markup. A parsed document runs no script, and neither do nodes that come from one. */
function formOf(html: string): HTMLFormElement {
  const form = new DOMParser().parseFromString(html, "text/html").querySelector("form")
  return document.adoptNode(form as HTMLFormElement)
}

function firstControl(form: HTMLFormElement): HTMLElement | undefined {
  const controls = [...form.querySelectorAll<HTMLInputElement>("input, textarea, select")]
  return controls.find((each) => each.type !== "hidden" && !each.closest("[hidden]"))
}

function style(root: ShadowRoot): void {
  if (styled.has(root)) return
  styled.add(root)
  prepareStyle(root)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(squeezedCss("contact/contact.css"))
  root.adoptedStyleSheets.push(sheet)
}

// Browser code, loaded by the widget once a visitor wants to write: hands its one function to the widget.
document.currentScript?.dispatchEvent(new CustomEvent("guichet", { detail: showContact }))
