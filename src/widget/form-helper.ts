import { prepareStyle, showProblems, showSentence, showSuccess, takeProblemsBack } from "./form-problems.ts"
import { sendForm } from "./form-send.ts"
import type { formMessages } from "./messages.fr.ts"

type FormSentences = typeof formMessages.fr

interface Prepared {
  /**
   * Signed time at which the form was there with its page, when the service gave one; of one that came later
   * nobody knows since when.
   */
  started: string | undefined
  sending: boolean
  /** What was last sent, and under which key: the same again is the same response. */
  last: { content: string; key: string } | undefined
}

/**
 * Takes over every form whose action lies under `…/f/` of the service, whenever it comes to the page. One
 * that the page's own code has already dealt with is left alone.
 */
export function formHelper(service: string, says: FormSentences): void {
  const prepared = new WeakMap<HTMLFormElement, Prepared>()
  prepareStyle()
  for (const form of document.forms) {
    const state = prepare(form)
    if (state) void noteStart(form, state)
  }
  document.addEventListener("focusin", ({ target }) => {
    const form = target instanceof Element && target.closest("form")
    if (form) prepare(form)
  })
  document.addEventListener("submit", async (event) => {
    const form = event.target
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return
    const state = prepare(form)
    if (!state || actionOf(event.submitter) !== undefined) return
    event.preventDefault()
    if (state.sending) return
    state.sending = true
    await send(form, event.submitter, state)
    state.sending = false
  })
  document.addEventListener("input", ({ target }) => takeProblemsBack(target))

  /** undefined for a form that is none of ours. */
  function prepare(form: HTMLFormElement): Prepared | undefined {
    const action = actionOf(form)
    if (!action?.startsWith(`${service}f/`)) return undefined
    let state = prepared.get(form)
    if (!state) {
      state = { started: undefined, sending: false, last: undefined }
      prepared.set(form, state)
      // The service says what is wrong with all fields at once, in French, beside each.
      form.noValidate = true
    }
    return state
  }

  async function noteStart(form: HTMLFormElement, state: Prepared): Promise<void> {
    state.started = await startOf(actionOf(form) as string)
  }

  async function send(form: HTMLFormElement, submitter: HTMLElement | null, state: Prepared): Promise<void> {
    const data = new FormData(form, submitter)
    if (!data.get("page")) data.set("page", location.origin + location.pathname)
    const content = JSON.stringify([...data].map(([name, value]) => [name, String(value)]))
    if (state.last?.content !== content) state.last = { content, key: newKey() }
    data.set("guichet_key", state.last.key)
    if (state.started) data.set("guichet_started", state.started)
    form.setAttribute("aria-busy", "true")
    showSentence(form, says.sending, "status")
    const sent = await sendForm(actionOf(form) as string, data, says)
    form.removeAttribute("aria-busy")
    if (sent.outcome === "refused") showProblems(form, sent.sentence, sent.fields)
    else if (sent.redirectUrl) location.assign(sent.redirectUrl)
    else showSuccess(form, form.dataset["success"] || says.sent)
  }
}

/** The address itself: `form.action` is a field when one is called so. */
function actionOf(element: Element | null): string | undefined {
  const action = element?.getAttribute(element instanceof HTMLFormElement ? "action" : "formaction")
  return action != null && URL.canParse(action, document.baseURI)
    ? new URL(action, document.baseURI).href
    : undefined
}

async function startOf(action: string): Promise<string | undefined> {
  try {
    const { started } = await (await fetch(`${action}/start`)).json()
    return typeof started === "string" ? started : undefined
  } catch {
    return undefined
  }
}

/** `crypto.randomUUID` exists on secure pages only. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-")
}
