import { element } from "../element.ts"
import type { ShowOffer } from "../offer/offer.ts"
import { own, ownDocument } from "../own.ts"
import { formWords, type Language } from "../words.fr.ts"
import { adoptSentence, clearProblems, prepareStyle, showSentence, showSuccess } from "./problems.ts"
import { readStart } from "./send.ts"
import { type SubmitState, submitForm } from "./submit.ts"

interface HelperOptions {
  service: string
  language: Language
  /** Where a form's redirect opens. */
  target: "_self" | "_top"
  /** Loads what shows an answer before a form is sent. */
  loadOffer(signal: AbortSignal): Promise<ShowOffer>
}

/** The visitor does not wait longer for an answer that may not exist, the script that shows it included. */
const offerTimeoutMs = 5000

interface HelperState extends SubmitState {
  sending?: boolean
  closed?: string | undefined
  /** The field that the documentation is asked about, once, before the form is sent. */
  check?: string | undefined
  /** The page's own form asks its visitors by the browser's words, unless the helper takes it over. */
  isValidated: boolean
  /** Scripts of this page do not get to the service: the browser sends the form by itself. */
  isLeft?: boolean
}

/** Whether this browser has everything that the helper needs; an older one sends forms by itself. */
function canHelp(): boolean {
  const { prototype } = HTMLFormElement
  return [AbortSignal.timeout, prototype.requestSubmit, ownDocument.adoptedStyleSheets, [].at].every(Boolean)
}

/** Forms added later are taken over too. A submit event that the page's own code prevented is left alone. */
export function formHelper({ service, language, target, loadOffer }: HelperOptions): void {
  if (!canHelp()) return
  const says = formWords[language]
  const states = new WeakMap<HTMLFormElement, HelperState>()
  // A page that replaces its body runs the script again: the newest copy of a service knows when its forms came.
  const newest = window as unknown as Record<string, unknown>
  newest[service] = states
  prepareStyle(ownDocument)
  for (const form of ownDocument.forms) {
    const state = prepare(form)
    if (state) void start(form, state)
  }
  ownDocument.addEventListener("focusin", ({ target }) => {
    const form = target instanceof Element && own(target).closest("form")
    if (form) prepare(form)
  })
  ownDocument.addEventListener("submit", async (event) => {
    const form = event.target
    if (newest[service] !== states || event.defaultPrevented || !(form instanceof HTMLFormElement)) return
    const state = prepare(form)
    if (!state || event.submitter?.hasAttribute("formaction")) return
    event.preventDefault()
    if (state.sending) return
    state.sending = true
    try {
      await send(form, event.submitter, state)
    } catch {
      showSentence(form, says.unreadable, "alert")
    }
    state.sending = false
  })
  ownDocument.addEventListener("input", ({ target }) => clearProblems(target))

  /** Returns undefined for a form that is not sent to the service. */
  function prepare(form: HTMLFormElement): HelperState | undefined {
    if (!own(form).action.startsWith(`${service}f/`)) return undefined
    let state = states.get(form)
    if (!state) {
      state = { isOfPage: true, isValidated: !own(form).noValidate }
      states.set(form, state)
      adoptSentence(form)
      // The service reports the problems of all fields at once, in French, beside each field.
      own(form).setAttribute("novalidate", "")
    }
    return state.isLeft ? undefined : state
  }

  /** A form of which the service says nothing is sent as it is, and one that cannot be asked about is left alone. */
  async function start(form: HTMLFormElement, state: HelperState): Promise<void> {
    try {
      Object.assign(state, await readStart(own(form).action), { isReachable: true })
      if (state.closed)
        own(form).prepend(element("p", { role: "status", class: "guichet-problem" }, state.closed))
    } catch {
      state.isLeft = true
      if (state.isValidated) own(form).removeAttribute("novalidate")
    }
  }

  async function send(
    form: HTMLFormElement,
    submitter: HTMLElement | null,
    state: HelperState,
  ): Promise<void> {
    const address = own(form).action
    const field = state.check
    // A form with a fault is told its faults first.
    if (field && own(form).checkValidity()) {
      state.check = undefined
      showSentence(form, says.checking, "status")
      // The page may have replaced its button meanwhile.
      const send = () =>
        own(form).requestSubmit((submitter as HTMLButtonElement | null)?.form === form ? submitter : null)
      const end = (sentence: string) => showSuccess(form, [sentence])
      try {
        const signal = AbortSignal.timeout(offerTimeoutMs)
        const showOffer = await loadOffer(signal)
        if (await showOffer({ form, address, field, language, signal, send, end }))
          return showSentence(form, "", "status")
      } catch {
        // An answer that cannot be had does not stop the visitor from writing.
      }
    }
    const sent = await submitForm(form, address, submitter, state, says)
    if (!sent) return
    // Also before a redirect: it may take its time, and a visitor who comes back does not send again.
    showSuccess(form, [own(form).dataset["success"] || sent.thanks || says.sent, sent.more])
    if (sent.redirectUrl) open(sent.redirectUrl, target)
  }
}
