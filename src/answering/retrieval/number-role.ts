/**
 * The numbers of a question that a text has in another role alone: who is « 15 ans » old is not told by « 15 jours ». A
 * number without a unit may have any role.
 */
export function numbersInOtherRole(question: string, text: string): string[] {
  return numberRoles(question)(text)
}

/** The same for one question and many texts. */
export function numberRoles(question: string): (text: string) => string[] {
  const wanted = [...rolesIn(question)].filter(([, roles]) => !roles.has("any"))
  if (wanted.length === 0) return () => []
  const numbers = new Set(wanted.map(([number]) => number))
  return (text) => {
    const given = rolesIn(text, numbers)
    return wanted.flatMap(([number, roles]) => {
      const inText = given.get(number)
      return inText !== undefined && !inText.has("any") && roles.isDisjointFrom(inText) ? [number] : []
    })
  }
}

type Role = "any" | keyof typeof units

/** The roles of every number, or of those that are `wanted`. */
function rolesIn(text: string, wanted?: ReadonlySet<string>): Map<string, Set<Role>> {
  const roles = new Map<string, Set<Role>>()
  for (const { 1: number = "", index } of text.matchAll(numbers)) {
    if (wanted && !wanted.has(number)) continue
    const after = text.slice(index + number.length, index + number.length + mostAfter)
    const role =
      (Object.keys(units) as (keyof typeof units)[]).find((unit) => units[unit].test(after)) ?? "any"
    roles.set(number, (roles.get(number) ?? new Set<Role>()).add(role))
  }
  return roles
}

const numbers = /(?<![\p{L}\d.,])(\d{1,6})(?![.,]?\d)/gu
/** Characters in which a unit is looked for. */
const mostAfter = 16

/** Each as it stands behind its number. */
const units = {
  year: /^[\s*_-]{0,3}(?:ans?|années?|years?)(?!\p{L})/iu,
  month: /^[\s*_-]{0,3}(?:mois|months?)(?!\p{L})/iu,
  week: /^[\s*_-]{0,3}(?:semaines?|weeks?)(?!\p{L})/iu,
  day: /^[\s*_-]{0,3}(?:jours?|days?|j)(?!\p{L})/iu,
  hour: /^[\s*_-]{0,3}(?:h|heures?|hours?)(?!\p{L})/iu,
  minute: /^[\s*_-]{0,3}(?:min|minutes?|mn)(?!\p{L})/iu,
  money: /^[\s*_-]{0,3}(?:€|euros?|eur(?!\p{L})|\$|dollars?|chf(?!\p{L})|£)/iu,
  share: /^[\s*_-]{0,3}(?:%|pour ?cent|percent)/iu,
  place: /^[\s*_-]{0,3}(?:km|kilomètres?|mètres?|m|cm|kilometers?|meters?)(?!\p{L})/iu,
}
