import type { AnswerContent } from "../answer.ts"

/** As many code points as the service looks at: the rest stays in the browser until the form is sent. */
const maxLength = 1000

/** `address`: where the form is sent to. Undefined without an answer before `signal` is aborted. Never throws. */
export async function check(
  address: string,
  text: string,
  signal: AbortSignal,
): Promise<AnswerContent | undefined> {
  try {
    const response = await fetch(`${address}/answer`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: [...text.trim()].slice(0, maxLength).join("") }),
      signal,
    })
    const { status, answer, sources } = await response.json()
    return status === "answered" ? { answer, sources } : undefined
  } catch {
    return undefined
  }
}

/** Sent without waiting for it. */
export function tellSolved(address: string): void {
  fetch(`${address}/solved`, { method: "POST", keepalive: true }).catch(() => {})
}
