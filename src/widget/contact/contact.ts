import type { AnswerContent } from "../answer.ts"
import { element } from "../element.ts"
import { followConditions } from "../form/follow-conditions.ts"
import { clearProblems, prepareStyle, showSentence, showSuccess } from "../form/problems.ts"
import { type SubmitState, submitForm } from "../form/submit.ts"
import { check, tellSolved } from "../offer/check.ts"
import { keepOpeningInNewTabs, offerSection } from "../offer/offer-section.ts"
import { own, ownDocument } from "../own.ts"
import { forgetProof, proveFirst } from "../proof/prove.ts"
import { squeezedCss } from "../style.ts" with { type: "macro" }
import { contactWords, formWords, type Language, offerWords } from "../words.fr.ts"

export interface ContactOptions {
  service: string
  project: string
  language: Language
  /** Stands where the form is to stand, and comes back when the form is put away. */
  place: HTMLElement
  question: string
  /** The answer that the visitor has read; undefined where the assistant failed. */
  answerId: string | undefined
  /** The visitor's page has shown the widget since then, by the service's word. */
  started: string | undefined
  nodesOf(answer: AnswerContent, key: string): HTMLElement[]
}

export type ShowContact = (options: ContactOptions) => Promise<void>

interface Described {
  form: string
  html: string
  field: string | null
  started: string
}

/** The visitor does not wait longer for an answer that may not exist. */
const checkTimeoutMs = 5000

const styled = new WeakSet<ShadowRoot>()
let count = 0

const showContact: ShowContact = async ({
  service,
  project,
  language,
  place,
  question,
  answerId,
  started,
  nodesOf,
}) => {
  const says = contactWords[language]
  const formSays = formWords[language]
  const root = place.getRootNode() as ShadowRoot
  const address = `${service}api/v1/projects/${project}/contact`
  const described = await describe(address, started)
  // Two clicks open one form.
  if (place.hidden) return
  const form = parseForm(described.html)
  const action = `${service}f/${described.form}`
  const field = own(form).querySelector<HTMLTextAreaElement>(`[name="${described.field}"]`)
  if (field) field.value = question
  style(root)

  const key = `contact-${++count}`
  const heading = element("h4", { id: key }, says.title)
  const cancel = element("button", { type: "button", class: "quiet" }, says.cancel)
  const section = element("section", { class: "contact", "aria-labelledby": key }, heading, form)
  const ownForm = own(form)
  ownForm.setAttribute("novalidate", "")
  ownForm.setAttribute("action", action)
  followConditions(form)
  ownForm.querySelector("[type=submit]")?.after(cancel)
  place.hidden = true
  place.after(section)
  const dialog = root.querySelector("dialog")
  dialog?.classList.add("writing")
  const restoreLinks = keepOpeningInNewTabs(root, language)
  section.scrollIntoView()
  firstControl(form)?.focus()

  const state: SubmitState = { started: described.started }
  let isBusy = false
  let isChecked = false
  ownForm.addEventListener("input", ({ target }) => {
    clearProblems(target)
    forgetProof(form)
  })
  ownForm.addEventListener("submit", (event) => proveFirst(event, form, formSays), true)
  ownForm.addEventListener("submit", async (event) => {
    event.preventDefault()
    if (isBusy) return
    isBusy = true
    try {
      await send(event.submitter)
    } catch {
      showSentence(form, formSays.unreadable, "alert")
    }
    isBusy = false
  })
  cancel.addEventListener("click", () => {
    section.remove()
    place.hidden = false
    stop()
    place.querySelector("button")?.focus()
  })

  async function send(submitter: HTMLElement | null): Promise<void> {
    const text = field?.value.trim() ?? ""
    // A question that was just answered is not looked at again. A form with a fault is told its faults first.
    const isNew = text !== question || answerId === undefined
    if (!isChecked && text.length > 1 && isNew && ownForm.checkValidity()) {
      isChecked = true
      showSentence(form, formSays.checking, "status")
      const suggestion = await check(address, text, AbortSignal.timeout?.(checkTimeoutMs))
      if (suggestion) return offer(suggestion)
    }
    const more = answerId === undefined ? {} : { guichet_answer: answerId }
    const sent = await submitForm(form, action, submitter, state, formSays, more)
    if (sent) finish(ownForm.dataset["success"] || sent.thanks || formSays.sent, sent.more)
  }

  function offer(found: AnswerContent): void {
    const nodes = nodesOf(found, `${key}-answer`)
    const { section, title } = offerSection(nodes, `${key}-offer`, language, {
      yes() {
        tellSolved(address)
        finish(offerWords[language].solved)
      },
      no() {
        section.remove()
        ownForm.requestSubmit()
      },
    })
    showSentence(form, "", "status")
    ownForm.after(section)
    section.scrollIntoView()
    title.focus()
  }

  function finish(...sentences: (string | undefined)[]): void {
    cancel.remove()
    section.querySelector(".offer")?.remove()
    // The status was about the question.
    root.querySelector(".status")?.replaceChildren()
    stop()
    showSuccess(form, sentences)
  }

  function stop(): void {
    dialog?.classList.remove("writing")
    restoreLinks()
  }
}

/** A service that is newer than this script needs to know what it can do. */
async function describe(address: string, started = ""): Promise<Described> {
  const response = await fetch(`${address}?started=${started}&proves=yes`, {
    signal: AbortSignal.timeout?.(10_000),
  })
  if (!response.ok) throw new Error()
  return await response.json()
}

/** The service's own markup. A parsed document runs no script, and neither do nodes that come from one. */
function parseForm(html: string): HTMLFormElement {
  const markup = window.trustedTypes?.createPolicy("guichet", { createHTML: String }).createHTML(html) ?? html
  const page = new DOMParser().parseFromString(markup, "text/html")
  return page.querySelector("form") as HTMLFormElement
}

function firstControl(form: HTMLFormElement): HTMLElement | undefined {
  const controls = [...own(form).querySelectorAll<HTMLInputElement>("input, textarea, select")]
  return controls.find((each) => each.type !== "hidden" && !each.closest("[hidden]"))
}

function style(root: ShadowRoot): void {
  if (styled.has(root)) return
  styled.add(root)
  prepareStyle(root)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(squeezedCss("contact/contact.css", "offer/offer-section.css"))
  root.adoptedStyleSheets.push(sheet)
}

// Browser code, loaded by the widget once a visitor wants to write: hands its one function to the widget.
ownDocument.currentScript?.dispatchEvent(new CustomEvent("guichet", { detail: showContact }))
