import type { words as french } from "../requests.fr.ts"
import type { Sentences } from "../wording.ts"

export const words = {
  invalidRequest: "the request cannot be read, or one of its fields is not valid",
  notFound: "there is nothing at this address",
  tooManyDownloads: "too many downloads in a short time: try again in a moment",
  badHost:
    "the Host header of the request is missing, or is not that of a site: the proxy is to pass the visitor's on (nginx: proxy_set_header Host $host;)",
  tooLarge: ({ maxBytes }: { maxBytes: number }) =>
    `the request is too large: ${(maxBytes / 1024).toLocaleString("en")} KB at most`,
  notJson: ({ type }: { type: string }) =>
    `the body of the request is a form (${type}): send a JSON object, with Content-Type: application/json`,
  notAnObject: "the body of the request is not a JSON object",
  methodNotAllowed: ({ allowed }: { allowed: string[] }) =>
    `this address takes ${new Intl.ListFormat("en").format(allowed)} only`,
  unauthorized: "a valid token is needed",
  tokenMissing: "a token is needed: send the Authorization header, with “Bearer” and the token",
  tokenUnknown: "this token is unknown: see that it was copied as a whole",
  tokenRevoked: "this token was revoked: use another one",
  tokenExpired: "this token has expired: use another one",
  idempotencyKey: ({ maximum }: { maximum: number }) =>
    `the Idempotency-Key header holds a text of 1 to ${maximum} ASCII characters, such as a UUID`,
  forbidden: ({ scope }: { scope: string }) => `this token does not have the scope “${scope}”`,
  wrongFields: "correct the fields that are named",
  required: "this field is required",
  text: "give a text",
  textUpTo: ({ maximum }: { maximum: number }) =>
    `give a text of ${maximum.toLocaleString("en")} characters at most`,
  texts: "give a list of texts",
  flag: "give true or false",
  whole: ({ minimum }: { minimum: number }) => `give a whole number from ${minimum} on`,
  wholeOrNull: ({ minimum, maximum }: { minimum: number; maximum: number | undefined }) =>
    maximum === undefined
      ? `give a whole number from ${minimum} on, or null`
      : `give a whole number from ${minimum} to ${maximum.toLocaleString("en")}, or null`,
  oneOf: ({ choices }: { choices: readonly string[] }) => `possible values: ${choices.join(", ")}`,
  someOf: ({ choices }: { choices: readonly string[] }) =>
    `give a list of these values: ${choices.join(", ")}`,
  unknownField: ({ known }: { known: readonly string[] }) =>
    `unknown field; possible fields: ${known.join(", ")}`,
  mistypedField: ({ name, meant }: { name: string; meant: string }) =>
    `\`${name}\` is an unknown field: did you mean \`${meant}\`?`,
  headers: ({ max }: { max: number }) => `give ${max} headers at most`,
  headerName: ({ max }: { max: number }) =>
    `the name of a header has ${max} characters at most: letters, digits and hyphens`,
  headerValue:
    "the value of a header is on one line of ASCII, and has 4,096 characters at most with the name",
  reservedHeader: ({ name }: { name: string }) =>
    `no header “${name}” of your own: Guichet writes it, or HTTP needs it`,
  headerTwice: ({ name }: { name: string }) => `the header “${name}” is given twice`,
  headerWithoutValue: ({ name }: { name: string }) => `give the value of the header “${name}”`,
  shownOnly: "this field cannot be changed: send it back as it is, or leave it out",
  object: "give an object",
  time: "give a day or a time in ISO 8601, such as 2026-11-20 or 2026-11-20T10:00:00.000Z",
  limit: ({ maximum }: { maximum: number }) => `give a whole number from 1 to ${maximum}`,
  cursor: "go on with the value of next_cursor of the page before",
  exportRunning: "an export of the same operator or token is under way",
  unavailable: "the service does not answer at the moment: try again shortly",
} satisfies Sentences<typeof french>
