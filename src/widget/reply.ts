export interface Source {
  n: number
  title: string
  section: string | null
  url: string
}

/** A page that may help, in place of an answer or beside it. */
export type RelatedPage = Omit<Source, "n"> & {
  /** Its lines that come nearest. */
  excerpt?: string
}

export interface Reply {
  id: string
  status: "answered" | "no_answer"
  answer: string
  sources: Source[]
  /** Answers a greeting or thanks. Told by an event of its own, and kept with the conversation. */
  courtesy?: boolean
}

/** `code` is the service's, or `offline` or `unreadable` when the service said nothing itself. */
export interface Failure {
  code: string
  sentence: string
  /** Whether the sentence is the service's, and so French, whatever the language of the page. */
  fromService?: true
}

/** A proxy may answer instead of the service, which keeps to its contract. */
export function isReply(value: unknown): value is Reply {
  const { id, sources } = (value ?? {}) as Partial<Reply>
  return typeof id === "string" && Array.isArray(sources)
}

/** The failure in an error object of the service, or undefined for anything else. */
export function readFailure(value: unknown): Failure | undefined {
  const { code, message } = (value as { error?: { code?: unknown; message?: unknown } } | null)?.error ?? {}
  return typeof message === "string"
    ? { code: String(code), sentence: message, fromService: true }
    : undefined
}
