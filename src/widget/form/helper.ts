import type { formMessages } from "../messages.fr.ts"
import { clearProblems, prepareStyle, showSuccess } from "./problems.ts"
import { type SubmitState, submitForm } from "./submit.ts"

type FormSentences = typeof formMessages.fr

interface HelperState extends SubmitState {
  sending: boolean
}

/**
 * Takes over every form whose action lies under `…/f/` of the service, whenever it is added to the page.
 * Leaves a submit event alone that the page's own code has prevented. A form's redirect opens in `target`.
 */
export function formHelper(service: string, says: FormSentences, target: "_self" | "_top"): void {
  const states = new WeakMap<HTMLFormElement, HelperState>()
  prepareStyle(document)
  for (const form of document.forms) {
    const state = prepare(form)
    if (state) void fetchToken(form, state)
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
  document.addEventListener("input", ({ target }) => clearProblems(target))

  /** Returns undefined for a form that is not sent to the service. */
  function prepare(form: HTMLFormElement): HelperState | undefined {
    const action = actionOf(form)
    if (!action?.startsWith(`${service}f/`)) return undefined
    let state = states.get(form)
    if (!state) {
      state = { started: undefined, sending: false, last: undefined }
      states.set(form, state)
      // The service reports the problems of all fields at once, in French, beside each field.
      form.noValidate = true
    }
    return state
  }

  async function fetchToken(form: HTMLFormElement, state: HelperState): Promise<void> {
    state.started = await timingToken(actionOf(form) as string)
  }

  async function send(
    form: HTMLFormElement,
    submitter: HTMLElement | null,
    state: HelperState,
  ): Promise<void> {
    const sent = await submitForm(form, actionOf(form) as string, submitter, state, says)
    if (!sent) return
    // Also before a redirect: it may take its time, and whoever comes back from there does not send again.
    showSuccess(form, [form.dataset["success"] || sent.thanks || says.sent, sent.more])
    if (sent.redirectUrl) open(sent.redirectUrl, target)
  }
}

/** Reads the attribute: `form.action` is a field when the form has one of that name. */
function actionOf(element: Element | null): string | undefined {
  const action = element?.getAttribute(element instanceof HTMLFormElement ? "action" : "formaction")
  return action != null && URL.canParse(action, document.baseURI)
    ? new URL(action, document.baseURI).href
    : undefined
}

async function timingToken(action: string): Promise<string | undefined> {
  try {
    const { started } = await (await fetch(`${action}/start`)).json()
    return typeof started === "string" ? started : undefined
  } catch {
    return undefined
  }
}
