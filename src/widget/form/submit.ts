import { element } from "../element.ts"
import { own } from "../own.ts"
import type { formWords } from "../words.fr.ts"
import { showProblems, showSentence } from "./problems.ts"
import { type RefusedReply, readStart, type SentReply, sendForm, unreadableFile } from "./send.ts"

export interface SubmitState {
  /** `guichet_started`. A form added after the page was loaded has none: nobody knows when it appeared. */
  started?: string
  /** Content last sent and its key: the same content again gets the same key, and so is the same response. */
  last?: { content: string; key: string }
  /** Whether a script of this page has got to the service. */
  isReachable?: boolean
  /** The form is one of the page's own, which the browser can send by itself. */
  isOfPage?: true
}

/** Adds `more` to the form. Resolves to undefined when it was refused, or when the browser sends it. */
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
  const result = (await sendForm(action, data, says)) ?? (await whyNotSent(form, action, data, state, says))
  own(form).removeAttribute("aria-busy")
  if (result && !("sentence" in result)) return result
  if (!result) {
    // A visitor who comes back finds the form as it was.
    showSentence(form, "", "status")
    sendByBrowser(form, data)
    return undefined
  }
  // The service shows the step with the first fault.
  if (result.fields && own(form).querySelector("[name=guichet_step]")) own(form).submit()
  showProblems(form, result)
  return undefined
}

/** Undefined where the browser by itself may get there, whatever keeps the script from it: a policy, a blocker. */
async function whyNotSent(
  form: HTMLFormElement,
  action: string,
  data: FormData,
  state: SubmitState,
  says: typeof formWords.fr,
): Promise<RefusedReply | undefined> {
  const gone = await unreadableFile(data)
  if (gone) return { sentence: says.notSent, fields: { [gone.field]: says.unreadableFile(gone.name) } }
  const isReachable = await readStart(action).then(
    () => true,
    () => false,
  )
  if (!navigator.onLine || (state.isReachable && !isReachable)) return { sentence: says.offline }
  // Only a script makes the proof.
  const isForBrowser = state.isOfPage && !own(form).querySelector("[name=guichet_proof]")
  return isForBrowser ? undefined : { sentence: says.prevented }
}

/** With what the helper knows of it, so that a post whose reply was lost is the same response. */
function sendByBrowser(form: HTMLFormElement, data: FormData): void {
  const whole = own(form)
  for (const name of ["page", "guichet_key", "guichet_started"]) {
    const value = data.get(name)
    if (typeof value !== "string") continue
    for (const earlier of whole.querySelectorAll(`input[type=hidden][name=${name}]`)) earlier.remove()
    whole.append(element("input", { type: "hidden", name, value }))
  }
  whole.setAttribute("method", "post")
  whole.setAttribute("enctype", "multipart/form-data")
  whole.setAttribute("accept-charset", "utf-8")
  whole.submit()
}

/** Needed because `crypto.randomUUID` exists on secure pages only. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-")
}
