import { element } from "./element.ts"
import type { WidgetMessages } from "./messages.fr.ts"
import { type Failure, failureOf } from "./reply.ts"

/** Asks whether an answer helped. The visitor may change the opinion; the last one counts. */
export function feedback(service: string, answerId: string, says: WidgetMessages): HTMLElement {
  const note = element("span", { role: "status" })
  const buttons = [choice(says.useful, true), choice(says.useless, false)]
  return element("div", { class: "feedback", role: "group", "aria-label": says.opinion }, ...buttons, note)

  function choice(label: string, useful: boolean): HTMLButtonElement {
    const button = element("button", { type: "button", "aria-pressed": "false" }, label)
    button.addEventListener("click", async () => {
      const problem = await send(useful)
      if (problem?.fromService) note.lang = "fr"
      else note.removeAttribute("lang")
      note.textContent = problem?.sentence ?? says.thanks
      if (!problem) for (const one of buttons) one.setAttribute("aria-pressed", String(one === button))
    })
    return button
  }

  /** Resolves to the failure, or to undefined once the feedback is accepted. */
  async function send(useful: boolean): Promise<Omit<Failure, "code"> | undefined> {
    let value: unknown
    try {
      const response = await fetch(`${service}api/v1/answers/${encodeURIComponent(answerId)}/feedback`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ useful }),
      })
      if (response.ok) return undefined
      value = await response.json()
    } catch {
      // A request that was not sent, or that something else than the service answered, fails below.
    }
    return failureOf(value) ?? { sentence: says.opinionNotSent, fromService: false }
  }
}
