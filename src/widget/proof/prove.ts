import { showSentence } from "../form/problems.ts"
import { readStart } from "../form/send.ts"
import { own } from "../own.ts"
import type { formWords } from "../words.fr.ts"
import { solve } from "./solve.ts"

/** Shorter than a challenge is good for. */
const goodForMs = 30 * 60_000

/** Until when the proof in a form is good. The same content is sent again with the same proof. */
const goodUntil = new WeakMap<HTMLFormElement, number>()
const working = new WeakSet<HTMLFormElement>()

/**
 * Holds a `submit` event back while the form's proof of work is made, if it wants one and has none yet: to be called
 * before the listener that sends the form, which then gets a second event.
 */
export function proveFirst(event: SubmitEvent, form: HTMLFormElement, says: typeof formWords.fr): void {
  const { submitter } = event
  const input = own(form).querySelector<HTMLInputElement>("input[name=guichet_proof]")
  if (!input || submitter?.hasAttribute("formaction") || (goodUntil.get(form) ?? 0) > Date.now()) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (!working.has(form)) void prove(form, input, submitter, says)
}

/** Another content is another response, and each has a proof of its own. */
export function forgetProof(form: HTMLFormElement): void {
  goodUntil.delete(form)
}

async function prove(
  form: HTMLFormElement,
  input: HTMLInputElement,
  submitter: HTMLElement | null,
  says: typeof formWords.fr,
): Promise<void> {
  working.add(form)
  goodUntil.delete(form)
  own(form).setAttribute("aria-busy", "true")
  showSentence(form, says.checking, "status")
  const start = await readStart(own(form).action).catch(() => undefined)
  if (!start) showSentence(form, navigator.onLine ? says.prevented : says.offline, "alert")
  else if (!start.started) showSentence(form, says.unreadable, "alert")
  else {
    // The owner may want none any more.
    const { proof } = start
    input.value = proof ? JSON.stringify({ challenge: proof, solution: await solve(proof) }) : ""
    goodUntil.set(form, Date.now() + goodForMs)
  }
  own(form).removeAttribute("aria-busy")
  working.delete(form)
  if (!goodUntil.has(form)) return
  // Without it, there is no helper either that would send the form.
  if (!own(form).requestSubmit) return own(form).submit()
  // The page may have replaced its button meanwhile.
  own(form).requestSubmit((submitter as HTMLButtonElement | null)?.form === form ? submitter : null)
}
