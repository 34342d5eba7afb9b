import type { RelatedPage } from "../../answering/ask/next-pages.ts"
import type { Reason } from "../../answering/retrieval/reasons.ts"
import { addressWith, rowName } from "../kit/components.tsx"
import { usePage } from "../kit/page-context.ts"
import { SourceLink } from "./answer.tsx"
import { words } from "./reasons.fr.ts"
import { words as questionWords } from "./words.fr.ts"
import { type WriteAnswerProps, writeAnswerPath } from "./write-answer.tsx"

interface ReasonListProps {
  /** The question that the owner's own answer would be for. */
  about: WriteAnswerProps
  isAnswered: boolean
  reasons: readonly Reason[]
  /** The page that came nearest, where none answers. */
  nearest?: RelatedPage | undefined
}

/** Why a question was refused, or what its answer lacks, each with what the owner can do about it. */
export function ReasonList({ about, isAnswered, reasons, nearest }: ReasonListProps) {
  const { may } = usePage()
  if (isAnswered && reasons.length === 0) return <p class="hint">{words.nothingAgainst}</p>
  const of = isAnswered ? words.judged.answered : words.judged.refused
  return (
    <>
      <p class="hint">{isAnswered ? words.whySo : words.whyNot}</p>
      <ul>
        {reasons.map((reason) => (
          <li key={reason.code}>
            {reasonText(reason, of)} <Remedy about={about} reason={reason} />
          </li>
        ))}
        {!isAnswered && nearest && (
          <li>
            {words.nearest} <SourceLink {...nearest} />. {may("editor") && words.toWrite}
          </li>
        )}
      </ul>
    </>
  )
}

function reasonText(reason: Reason, of: string): string {
  switch (reason.code) {
    case "no_passage":
      return words.noPassage
    case "unknown_words":
      return words.unknown(reason.words)
    case "missing_words":
      return words.missing(reason.words, of)
    case "quantity":
      return words.quantity(reason.kind, of)
    default:
      return words[reason.code]
  }
}

/** A synonym mends an unknown word; anything else takes an answer that the owner writes. */
function Remedy({ about, reason }: Pick<ReasonListProps, "about"> & { reason: Reason }) {
  const { may } = usePage()
  if (!may("editor")) return null
  if (!("words" in reason))
    return (
      <a href={writeAnswerPath(about)} aria-label={questionWords.writeNamed(rowName(about.question))}>
        {questionWords.write}
      </a>
    )
  return reason.words.map((word, at) => (
    <span key={word}>
      {at > 0 && " · "}
      <a href={addressWith(`/console/projects/${about.projectId}/synonyms#words`, { words: word })}>
        {words.synonym(word)}
      </a>
    </span>
  ))
}
