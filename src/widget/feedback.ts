import { element } from "./element.ts"
import type { Exchange } from "./memory.ts"
import { type Failure, readFailure } from "./reply.ts"
import type { ReasonWords, WidgetWords } from "./words.fr.ts"

/** The last opinion counts. Calls `onUseless` once the answer is said not to have helped. */
export function feedback(
  service: string,
  exchange: Exchange,
  says: WidgetWords,
  onUseless: () => void,
): HTMLElement {
  const note = element("span", { role: "status" })
  const more = element("div")
  const opinions = [choice(says.useful, { useful: true }), choice(says.useless, { useful: false })]
  if (exchange.useful !== undefined) (opinions[exchange.useful ? 0 : 1] as Element).ariaPressed = "true"
  const group = element(
    "div",
    { class: "choices", role: "group", "aria-label": says.opinion },
    ...opinions,
    note,
  )
  return element("div", { class: "feedback" }, group, more)

  function choice(label: string, opinion: { useful: boolean; reason?: string }): HTMLButtonElement {
    const button = element("button", { type: "button", "aria-pressed": "false" }, label)
    button.addEventListener("click", async () => {
      const problem = await send(opinion)
      if (problem?.fromService) note.lang = "fr"
      else note.removeAttribute("lang")
      note.textContent = problem?.sentence ?? (says.thanks as string)
      if (problem) return
      for (const one of (button.parentElement as HTMLElement).querySelectorAll("button"))
        one.setAttribute("aria-pressed", String(one === button))
      if (opinion.reason) return
      exchange.useful = opinion.useful
      more.replaceChildren()
      if (!opinion.useful) {
        more.append(reasons(says))
        onUseless()
        more.scrollIntoView({ block: "center" })
      }
    })
    return button
  }

  function reasons({ why = "", reasons = {} }: ReasonWords): HTMLElement {
    const buttons = Object.entries(reasons).map(([reason, label]) => choice(label, { useful: false, reason }))
    return element(
      "div",
      { class: "choices", role: "group", "aria-label": why },
      element("span", {}, why),
      ...buttons,
    )
  }

  /** Resolves to the failure, or to undefined once the feedback is accepted. */
  async function send(opinion: object): Promise<Omit<Failure, "code"> | undefined> {
    let value: unknown
    try {
      const response = await fetch(
        `${service}api/v1/answers/${encodeURIComponent(exchange.reply.id)}/feedback`,
        { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(opinion) },
      )
      if (response.ok) return undefined
      value = await response.json()
    } catch {
      // A request that was not sent, or that something else than the service answered, fails below.
    }
    return readFailure(value) ?? { sentence: says.offline }
  }
}
