import type { RelatedPage } from "./reply.ts"

/** The answer stands already, so that the visitor does not wait for this request. */
const timeoutMs = 10_000

/** Pages that may help although the documentation does not answer; none when they cannot be had. Never throws. */
export async function relatedTo(service: string, answerId: string): Promise<RelatedPage[]> {
  try {
    const response = await fetch(`${service}api/v1/answers/${encodeURIComponent(answerId)}/related`, {
      method: "POST",
      signal: AbortSignal.timeout(timeoutMs),
    })
    return (await response.json()).items ?? []
  } catch {
    return []
  }
}
