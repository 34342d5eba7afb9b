import type { RelatedPage, Reply } from "./reply.ts"

/** A question and its answer, as they stand in the panel. */
export interface Exchange {
  question: string
  reply: Reply
  related?: RelatedPage[]
  useful?: boolean
}

/** The conversation of one tab. It outlives a change of page, so that a source can be read without losing it. */
export interface Memory {
  exchanges: Exchange[]
  open: boolean
  scroll: number
  draft: string
}

const maxExchanges = 20

/** Nothing where nothing was asked yet, or where the browser keeps nothing. */
export function recall(project: string): Memory | null | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key(project)) as string)
  } catch {
    return undefined
  }
}

/** Keeps nothing before the visitor has asked. */
export function remember(project: string, memory: Memory): void {
  try {
    const exchanges = memory.exchanges.slice(-maxExchanges)
    if (exchanges.length > 0) sessionStorage.setItem(key(project), JSON.stringify({ ...memory, exchanges }))
    else sessionStorage.removeItem(key(project))
  } catch {
    // Full, or forbidden by the browser: the conversation then ends with its page, as it used to.
  }
}

function key(project: string): string {
  return `guichet:${project}`
}
