/** HTTP status of every code an error may carry: the specification's (part 7 A), then the management API's. */
export const statusOfCode = {
  invalid_request: 400,
  project_not_found: 404,
  assistant_disabled: 403,
  origin_not_allowed: 403,
  not_indexed: 409,
  rate_limited: 429,
  quota_exceeded: 429,
  unavailable: 503,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
} as const

export type ErrorCode = keyof typeof statusOfCode

interface RefusalOptions {
  /** What happened, in English, for the command line and the log. */
  reason?: string
  /** What is wrong with which field, in French: shown at the field. */
  fields?: Record<string, string>
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number
  cause?: unknown
}

/**
 * The one error thrown on purpose: something a caller can understand and act upon.
 * `sentence` is French and shown to people unchanged; `message` is English and stays with us.
 * Whatever else is thrown is a defect, logged with its stack and never shown.
 */
export class Refusal extends Error {
  override readonly name = "Refusal"
  readonly code: ErrorCode
  readonly sentence: string
  readonly fields: Record<string, string> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, sentence: string, options: RefusalOptions = {}) {
    super(options.reason ?? code, { cause: options.cause })
    this.code = code
    this.sentence = sentence
    this.fields = options.fields
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** A command that cannot run as it was called, or a setting with a bad value: printed without a stack. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}
