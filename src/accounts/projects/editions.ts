import { type Static, Type } from "@sinclair/typebox"
import { parsedUrl } from "../../base/text.ts"
import { ruled, told } from "../../http/record/rule.ts"
import { filledLine } from "../../http/record/schemas.ts"

/** The versions or languages of one documentation: each page belongs to the one whose rule its address follows. */

export const editionLimits = { editions: 20, labelLength: 60, ruleLength: 200 } as const

const name = Type.String({ pattern: "^[a-z0-9][a-z0-9._-]{0,39}$" })
const isName = /^[a-z0-9][a-z0-9._-]{0,39}$/

/** `/v2/`, `en.acme.fr` or `en.acme.fr/v2/`: the beginning of a path, of a host's address, or a host. */
const rule = ruled(
  Type.String({
    pattern: "^[^ ?#*\\\\@]+$",
    maxLength: editionLimits.ruleLength,
    description:
      "the beginning of a path, such as /v2/, or a host, such as en.acme.fr, with or without a path",
  }),
  { read: ruleIn },
)

const edition = Type.Object(
  {
    name: told(ruled(name, { read: nameIn }), "accounts.editionName"),
    label: told(filledLine({ maxLength: editionLimits.labelLength }), "accounts.editionLabel", {
      maximum: editionLimits.labelLength,
    }),
    rule: told(rule, "accounts.editionRule", { maximum: editionLimits.ruleLength }),
  },
  { additionalProperties: false },
)
export type Edition = Static<typeof edition>

/** The first one is the default. */
export const editions = told(
  ruled(Type.Array(edition, { maxItems: editionLimits.editions }), { read: distinct }),
  "accounts.editions",
  { maximum: editionLimits.editions },
)

/** The edition whose rule an address follows, the longest of several; undefined for a page of every edition. */
export function editionAt<Each extends Pick<Edition, "rule">>(
  editions: readonly Each[],
  address: string,
): Each | undefined {
  const url = parsedUrl(address)
  if (!url) return undefined
  const path = `${url.pathname}/`
  return editions
    .filter(({ rule }) => {
      const from = rule.endsWith("/") ? rule : `${rule}/`
      return (from.startsWith("/") ? path : url.host + path).startsWith(from)
    })
    .toSorted((one, other) => other.rule.length - one.rule.length)[0]
}

function nameIn(typed: string): string | undefined {
  const plain = typed.trim().toLowerCase()
  return isName.test(plain) ? plain : undefined
}

function ruleIn(typed: string): string | undefined {
  const plain = typed.trim().replace(/^https?:\/\//i, "")
  if (plain === "" || plain.length > editionLimits.ruleLength || /[\s?#*\\@]/.test(plain)) return undefined
  const isPath = plain.startsWith("/")
  const url = parsedUrl(isPath ? `http://host.example${plain}` : `https://${plain}`)
  if (!url || url.pathname.includes("//")) return undefined
  const path = url.pathname.endsWith("/") ? url.pathname : `${url.pathname}/`
  const read = isPath ? path : url.host + (path === "/" ? "" : path)
  return read.length <= editionLimits.ruleLength ? read : undefined
}

/** undefined where two have one name or one rule. */
function distinct(editions: Edition[]): Edition[] | undefined {
  const hasEqual = (key: "name" | "rule") => new Set(editions.map((each) => each[key])).size < editions.length
  return hasEqual("name") || hasEqual("rule") ? undefined : editions
}
