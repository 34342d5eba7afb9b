import type { FailureCause } from "../../outbound/failure.ts"
import { userAgent } from "../../webhooks/delivery/send.ts"
import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import type { LoggedAttempt } from "../../webhooks/messages/delivery-log.ts"
import { Snippet } from "../kit/forms/fields.tsx"
import { outcomeIn } from "./outcome.tsx"
import { words } from "./words.fr.ts"

/** In characters: a payload has up to 256 kB, and a page is to stay light. */
const maxShown = 20_000
const maxInCommand = 4000

/** Indented for reading where it is JSON. The signed payload is the same without line breaks. */
export function shownBody(payload: string): { text: string; whole: number | undefined } {
  const text = indented(payload)
  return text.length <= maxShown
    ? { text, whole: undefined }
    : { text: text.slice(0, maxShown), whole: text.length }
}

function indented(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    return payload
  }
}

export function headerLines(headers: Iterable<readonly [name: string, value: string]>): string {
  return [...headers].map(([name, value]) => `${name}: ${value}`).join("\n")
}

interface RequestHeaders {
  endpoint: Endpoint | undefined
  messageId: string
  payload: string | null
  attempt: LoggedAttempt
}

/**
 * The headers that Guichet sets, derived from the log, which keeps no request: the host comes from today's
 * URL, the user agent from today's version, and the timestamp is the start of the attempt, which signs a
 * little later, once the name is resolved. `words.derivedHeaders` says so. The signature is kept nowhere.
 */
function requestHeaders({ endpoint, messageId, payload, attempt }: RequestHeaders): [string, string][] {
  const host = endpoint && new URL(endpoint.url).hostname
  return [
    ...(host ? [["host", host] as [string, string]] : []),
    ["content-type", "application/json"],
    ...(payload === null ? [] : [["content-length", String(Buffer.byteLength(payload))] as [string, string]]),
    ["user-agent", userAgent],
    ["webhook-id", messageId],
    ["webhook-timestamp", String(Math.floor(Date.parse(attempt.at) / 1000))],
    ["webhook-signature", words.notKept],
    ...(endpoint?.headers ?? []).map(({ name }) => [name, words.hiddenValue] as [string, string]),
  ]
}

/** Causes that come once the request went out. */
const afterSending: readonly (FailureCause | null)[] = [
  "closed",
  "answer_timeout",
  "not_http",
  "answer_too_large",
]

/** Where no connection was made, nothing was sent. Attempts of older versions tell no cause. */
function isUnsent({ outcome, cause }: LoggedAttempt): boolean {
  if (cause !== null) return !afterSending.includes(cause)
  return outcome === "dns" || outcome === "private_address"
}

export function Exchange(props: RequestHeaders & { isOpen: boolean }) {
  const { attempt, isOpen } = props
  const { status, response_headers, response_excerpt } = attempt
  return (
    <details open={isOpen} class="options">
      <summary>
        {words.answerTo(attempt.number)}
        {"\u00a0: "}
        {outcomeIn(attempt)}
      </summary>
      <div class="columns">
        <div>
          {isUnsent(attempt) ? (
            <p>{words.notSent}</p>
          ) : (
            <>
              <Snippet label={words.requestHeaders} text={headerLines(requestHeaders(props))} />
              <p class="hint">{words.derivedHeaders}</p>
            </>
          )}
        </div>
        <div>
          {status === null ? (
            <p>{words.noResponse}</p>
          ) : response_headers === null && response_excerpt === null ? (
            <p>{words.erasedAnswer}</p>
          ) : (
            <>
              <Snippet
                label={words.responseHeaders}
                text={
                  headerLines((response_headers ?? []).map(({ name, value }) => [name, value] as const)) ||
                  words.noHeaders
                }
              />
              <Snippet label={words.responseBody} text={response_excerpt || words.emptyAnswer} />
            </>
          )}
        </div>
      </div>
    </details>
  )
}

export function curlCommand(url: string, messageId: string, payload: string): string {
  const body =
    payload.length <= maxInCommand ? `--data-binary ${quoted(payload)}` : "--data-binary @message.json"
  return [
    `curl -i ${quoted(url)}`,
    `-H 'content-type: application/json'`,
    `-H 'webhook-id: ${messageId}'`,
    `-H "webhook-timestamp: $(date +%s)"`,
    body,
  ].join(" \\\n  ")
}

/** For a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
