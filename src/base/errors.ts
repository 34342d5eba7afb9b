/**
 * HTTP status of every code an error may carry: the specification's (part 7 A), then the management API's.
 */
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

/** What is to be told to a person, as data: `userMessage` of the faces puts it into words. */
export interface Detail {
  /** `area.name`: the area is a file of `src/wording`, the name a message in it. */
  readonly code: string
  readonly params?: DetailParams
}

/** What a domain tells as data, or the words of the face that refuses by itself. */
export type Told = Detail | string

export type DetailParams = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export function detail(code: string, params?: DetailParams): Detail {
  return params ? { code, params } : { code }
}

interface RefusalOptions {
  /** What happened, in English, for the command line and the log. */
  reason?: string
  /** What is wrong with which field, shown at the field. */
  fields?: Record<string, Told>
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number
  cause?: unknown
}

/**
 * The one error thrown on purpose: something a caller can understand and act upon. Its `detail` is put into
 * words by a face; its `message` is English and stays with us. Whatever else is thrown is a defect, logged
 * with its stack and never shown.
 */
export class Refusal extends Error {
  override readonly name = "Refusal"
  readonly code: ErrorCode
  readonly detail: Told
  readonly fields: Record<string, Told> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, detail: Told, options: RefusalOptions = {}) {
    super(options.reason ?? code, { cause: options.cause })
    this.code = code
    this.detail = detail
    this.fields = options.fields
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** A command that cannot run as it was called, or a setting with a bad value: printed without a stack. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}

/** Whether this code is what a refusal tells. */
export function isTold(error: unknown, code: string): boolean {
  return error instanceof Refusal && typeof error.detail === "object" && error.detail.code === code
}
