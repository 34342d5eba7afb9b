import type { Language } from "../../accounts/project.ts"
import { memoizePerPassage } from "../../index/lance/passage-cache.ts"
import { analyse } from "../../index/text/analyse.ts"
import { countWords, isStatement } from "../../reading/formats/blocks.ts"
import { type Passage, withoutLinkTargets } from "../../reading/formats/document.ts"
import { passageUnits } from "../../reading/passages/units.ts"
import { type PassageUnit, splitIntoPieces } from "./pieces.ts"

/** Units that are read of a passage. With more, they average twenty characters and say nothing. */
const maxUnits = 500

/** A section of so many words is seldom more than what its heading says. */
const maxShortWords = 50

/** The parts of a passage that are the same for every question. */
export const passageParts = memoizePerPassage((passage: Passage, language: Language) => {
  const { markdown, sections } = passage
  const headings = sections?.map(({ heading }) => heading ?? "") ?? [headingOf(passage)]
  const isShort = (sections ?? [{ from: 0 }]).map(
    ({ from }, section) => countWords(markdown.slice(from, sections?.[section + 1]?.from)) <= maxShortWords,
  )
  const units = passageUnits(passage, language)
    .slice(0, maxUnits)
    .map((unit, place) => {
      const section = Math.max(sections?.findLastIndex(({ from }) => from <= unit.at) ?? 0, 0)
      // The heading of a section speaks for its words where they are few.
      const heading = (isShort[section] ? headings[section] : undefined) ?? ""
      return {
        unit: { ...unit, section },
        place,
        heading,
        terms: new Set(analyse(`${heading}\n${withoutLinkTargets(unit.markdown)}`, language)),
      }
    })
    .filter(({ unit }, at, units) => !isSectionName(passage, unit, units[at + 1]?.unit))
  return {
    headTerms: new Set(analyse([passage.title, ...passage.headings].join("\n"), language)),
    headings: headings.map((heading) => new Set(analyse(heading, language))),
    units,
    pieces: splitIntoPieces(
      passage,
      units.map(({ unit }) => unit),
    ),
  }
})

/**
 * The heading of a joined section stands above it in bold. It is not quoted, because the source shows it, unless it
 * states something or is all that the section says.
 */
function isSectionName(
  { sections = [] }: Passage,
  { markdown, section }: Pick<PassageUnit, "markdown" | "section">,
  next: Pick<PassageUnit, "section"> | undefined,
): boolean {
  const heading = sections[section]?.heading
  return (
    next?.section === section && heading != null && markdown === `**${heading}**` && !isStatement(heading)
  )
}

/** Heading under which a passage stands on its page. */
export function headingOf({ headings, title }: Passage): string {
  return headings.at(-1) ?? title
}
