import type { Reply } from "../../outbound/reply.ts"

/** Shorter words of a value stand in any answer. */
const leastLength = 8
const mask = "***"

/** An answer may repeat the request: the log must not show the values of the owner's own headers. */
export function withoutValues(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  // The longest first, since one may hold another.
  const secrets = [...new Set(Object.values(headers).flatMap(writtenForms))].sort(
    (one, other) => other.length - one.length,
  )
  // A value is ASCII, so that bytes are as good as characters.
  const body = reply.bytes.toString("latin1")
  const masked = withoutEnd(masking(body, secrets), secrets)
  return {
    ...reply,
    fields: reply.fields.map(([name, value]) => [name, masking(value, secrets)] as const),
    bytes: masked === body ? reply.bytes : Buffer.from(masked, "latin1"),
  }
}

/** As it is, as JSON writes it, and without the scheme before a token. */
function writtenForms(value: string): string[] {
  const words = value.split(/[\t ]+/)
  return [value, ...words]
    .flatMap((each) => [each, JSON.stringify(each).slice(1, -1)])
    .filter((each) => each.length >= leastLength)
}

function masking(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, mask), text)
}

/** The end of an answer that was cut off may be the beginning of a value. */
function withoutEnd(text: string, secrets: readonly string[]): string {
  for (const secret of secrets)
    for (let length = secret.length - 1; length >= leastLength; length--)
      if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + mask
  return text
}
