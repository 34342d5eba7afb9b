/** More than any browser lists. */
const maxRanges = 30

/**
 * The one of these languages that the `Accept-Language` header prefers (RFC 9110, 12.5.4), the first of equals;
 * undefined where the header names none of them.
 */
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
