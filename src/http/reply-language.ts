import { isOpenToPages } from "./cors.ts"

export type ReplyLanguage = "fr" | "en"

/** Programs of the API choose by `Accept-Language`; visitors' pages show the French of their routes. */
export function replyLanguage(request: Request): ReplyLanguage {
  const isOfApi = URL.parse(request.url)?.pathname.startsWith("/api/") && !isOpenToPages(request)
  return isOfApi ? frenchOrEnglish(request) : "fr"
}

/** French or English, as `Accept-Language` prefers (RFC 9110, 12.5.4); French at a tie. */
function frenchOrEnglish({ headers }: Request): ReplyLanguage {
  const ranges = (headers.get("accept-language") ?? "").slice(0, maxLength).toLowerCase().split(",")
  const weights = { fr: 0, en: 0, "*": 0 }
  for (const range of ranges) {
    const [, language, weight = "1"] =
      /^\s*(fr|en|\*)(?:-[\w-]*)?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/.exec(range) ?? []
    if (language) weights[language as "fr"] = Math.max(weights[language as "fr"], Number(weight))
  }
  return weights.en > Math.max(weights.fr, weights["*"]) ? "en" : "fr"
}

const maxLength = 500

/** More than any browser lists. */
const maxRanges = 30

/** By `Accept-Language` (RFC 9110, 12.5.4), the first of equals; undefined where it names none of them. */
export function acceptedLanguage<Language extends string>(
  { headers }: Request,
  known: readonly Language[],
): Language | undefined {
  const ranges = (headers.get("accept-language") ?? "").split(",", maxRanges).flatMap((range) => {
    const [tag = "", parameter = "q=1"] = range.split(";")
    const language = known.find((each) => each === tag.trim().split("-")[0]?.toLowerCase())
    const quality = Number(/^\s{0,9}q=([\d.]{1,9})\s{0,9}$/i.exec(parameter)?.[1])
    return language !== undefined && quality > 0 ? [{ language, quality }] : []
  })
  return ranges.sort((one, other) => other.quality - one.quality)[0]?.language
}
