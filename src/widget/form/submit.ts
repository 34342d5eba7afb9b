import { own } from "../own.ts"
import type { formWords } from "../words.fr.ts"
import { showProblems, showSentence } from "./problems.ts"
import { type SentReply, sendForm } from "./send.ts"

export interface SubmitState {
  /**
   * Timing token (`guichet_started`), when the service gave one. A form added after the page was loaded gets none,
   * because it is unknown when it appeared.
   */
  started?: string
  /** Content last sent and its key: the same content again gets the same key, and so is the same response. */
  last?: { content: string; key: string }
}

/**
 * Sends a form as it is filled in, with `more`, and shows what is wrong with it. Resolves to undefined when it was
 * refused.
 */
export async function submitForm(
  form: HTMLFormElement,
  action: string,
  submitter: HTMLElement | null,
  state: SubmitState,
  says: typeof formWords.fr,
  more: Record<string, string> = {},
): Promise<SentReply | undefined> {
  const data = new FormData(form, submitter)
  if (!data.get("page")) data.set("page", location.origin + location.pathname)
  const content = JSON.stringify([...data].map(([name, value]) => [name, String(value)]))
  if (state.last?.content !== content) state.last = { content, key: newKey() }
  data.set("guichet_key", state.last.key)
  // Our own page says when its first step was shown.
  if (state.started && !data.get("guichet_started")) data.set("guichet_started", state.started)
  for (const [name, value] of Object.entries(more)) data.set(name, value)
  own(form).setAttribute("aria-busy", "true")
  showSentence(form, says.sending, "status")
  const result = await sendForm(action, data, says)
  own(form).removeAttribute("aria-busy")
  if (!("sentence" in result)) return result
  // The service shows the step with the first fault.
  if (result.fields && own(form).querySelector("[name=guichet_step]")) own(form).submit()
  showProblems(form, result)
  return undefined
}

/** Needed because `crypto.randomUUID` exists on secure pages only. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-")
}
