import type { Source } from "../reply.ts"

export interface Found {
  answer: string
  sources: Source[]
}

/** Whoever writes does not wait longer for an answer that may not exist. */
const timeoutMs = 5000
/** As many characters as the service looks at: the rest stays in the browser until the form is sent. */
const maxLength = 1000

/** The documentation's answer to a text. Undefined when there is none, or none can be had. Never throws. */
export async function check(service: string, project: string, text: string): Promise<Found | undefined> {
  try {
    const response = await fetch(`${service}api/v1/projects/${project}/contact/answer`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: [...text].slice(0, maxLength).join("") }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { status, answer, sources } = await response.json()
    return status === "answered" ? { answer, sources } : undefined
  } catch {
    return undefined
  }
}

/** Nobody waits for it. */
export function tellSolved(service: string, project: string): void {
  void fetch(`${service}api/v1/projects/${project}/contact/solved`, {
    method: "POST",
    keepalive: true,
  }).catch(() => {})
}
