/** HTTP status of each error code: the specification's codes (part 7 A), then the management API's. */
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

/** A sentence for a person, as data. `userMessage` of the faces turns it into a sentence. */
export interface Detail {
  /** `area.name`: a file of `src/wording` and a sentence in it. */
  readonly code: string
  readonly params?: DetailParams
}

/**
 * A `Detail`, or a text that is shown as it stands: the sentence of a face that refuses by itself, or the words
 * of another program, such as a driver or a server.
 */
export type Explanation = Detail | string

/** A param that is a `Detail` is turned into its sentence first: `https://…/sitemap.xml: answered 503`. */
export interface DetailParams {
  readonly [name: string]: string | number | boolean | readonly string[] | Detail | undefined
}

export function detail(code: string, params?: DetailParams): Detail {
  return params ? { code, params } : { code }
}

interface RefusalOptions {
  /** For the command line and the log, in English: by default those of the detail's code (`inEnglish`). */
  reason?: Explanation
  /** Error by field name, shown at the field. */
  fields?: Record<string, Explanation> | undefined
  retryAfterSeconds?: number | undefined
  cause?: unknown
}

/**
 * The one error thrown on purpose: the caller can understand it and act upon it. A face turns `detail` and
 * `reason` into sentences; `message` is for the log. Any other error is a defect, which is logged with its
 * stack and never shown.
 */
export class Refusal extends Error {
  override readonly name = "Refusal"
  readonly code: ErrorCode
  readonly detail: Explanation
  readonly reason: Explanation
  readonly fields: Record<string, Explanation> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, detail: Explanation, options: RefusalOptions = {}) {
    const { reason = detail || code } = options
    super(typeof reason === "string" ? reason : JSON.stringify(reason), { cause: options.cause })
    this.code = code
    this.detail = detail
    this.reason = reason
    this.fields = options.fields
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** A wrong command line or an invalid setting. Printed without a stack. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}

/** Whether an error is a Refusal whose detail has this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Refusal && typeof error.detail === "object" && error.detail.code === code
}

/** Gives back what was found. Throws Refusal `not_found` for undefined. */
export function required<Found>(found: Found | undefined, told: Explanation): Found {
  if (found === undefined) throw new Refusal("not_found", told)
  return found
}

/** Throws Refusal `conflict` where there are `maximum` already; `code` is that of its detail. */
export function requireRoom(count: number, maximum: number, code: string): void {
  if (count >= maximum) throw new Refusal("conflict", detail(code, { maximum }))
}
