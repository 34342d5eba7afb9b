import { fold } from "../../base/text.ts"

/** How lists name a message, and the text that a search looks through. Erased with the payload. */
export interface MessageSummary {
  person: string | null
  searchText: string | null
}

/** In characters. The index of the log holds these texts. */
const maxPersonLength = 120
const maxSearchLength = 400

/** `data` is the object of the specification, part 2 B1. */
export function summaryOf(data: object): MessageSummary {
  const { email, values } = data as { email?: unknown; values?: unknown }
  const texts = Object.values(values && typeof values === "object" ? values : {}).filter(
    (value): value is string => typeof value === "string" && value.trim() !== "",
  )
  const person = typeof email === "string" && email ? email : texts[0]
  if (person === undefined) return { person: null, searchText: null }
  // The address first: the rest may be cut off.
  const searched = [person, ...texts.filter((text) => text !== person)]
  return {
    person: cut(person.replaceAll(/\s+/g, " ").trim(), maxPersonLength),
    searchText: cut(
      fold(
        searched
          .map((text) => text.slice(0, maxSearchLength))
          .join("\n")
          .slice(0, maxSearchLength),
      ),
      maxSearchLength,
    ),
  }
}

function cut(text: string, maxLength: number): string {
  // No half of a surrogate pair is left at the end.
  return text.length <= maxLength ? text : text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "")
}
