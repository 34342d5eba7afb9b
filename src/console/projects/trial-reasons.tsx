import type { ComponentChildren } from "preact"
import type { Project } from "../../accounts/project.ts"
import type { AnsweredQuestion } from "../../answering/ask/answer.ts"
import type { Decision } from "../../answering/retrieval/decide.ts"
import { manyWords, type QuoteSignals } from "../../answering/retrieval/quote-signals.ts"
import type { Signals } from "../../answering/retrieval/signals.ts"
import { thresholds } from "../../answering/retrieval/thresholds.ts"
import { userMessage } from "../../wording/user-message.ts"
import type { Meaning } from "../indexing/meaning.ts"
import { percent } from "../kit/chart.tsx"
import { type Fact, Facts } from "../kit/components.tsx"
import { ReasonList } from "../questions/reasons.tsx"
import { words } from "./trial.fr.ts"

interface ReasonsProps extends Pick<AnsweredQuestion, "retrieval" | "result"> {
  project: Pick<Project, "id" | "answerThreshold">
  question: string
  /** The figures that were judged, and the passages that were found: folded below the reasons. */
  children: ComponentChildren
}

/** Why a tried question was answered or refused, and what spoke against it. */
export function Reasons({ project, question, retrieval, result, children }: ReasonsProps) {
  const isAnswered = result.status === "answered"
  const least = percent(thresholds[project.answerThreshold])
  return (
    <>
      <h2>{words.why}</h2>
      <p>{reason(retrieval.decision, isAnswered, least)}</p>
      {result.reasons && (
        <ReasonList
          about={{ projectId: project.id, question }}
          isAnswered={isAnswered}
          reasons={result.reasons}
          nearest={result.related?.[0]}
        />
      )}
      <details>
        <summary>{words.details(retrieval.ranked.length)}</summary>
        {children}
      </details>
    </>
  )
}

export function Judged({ retrieval, meaning }: Pick<AnsweredQuestion, "retrieval"> & { meaning: Meaning }) {
  const { signals, quoteSignals } = retrieval
  return (
    <>
      <p>{quoteSignals ? words.quotationJudged : wordsJudged(retrieval, meaning)}</p>
      <Facts of={quoteSignals ? quotationFacts(quoteSignals) : wordFacts(signals)} />
    </>
  )
}

function reason({ answerable, confidence }: Decision, isAnswered: boolean, least: string): string {
  const share = percent(confidence)
  if (isAnswered) return answerable ? words.whyAnswered(share, least) : words.whyAsked(share)
  return answerable ? words.whyNothing : words.whyRefused(share, least)
}

function wordsJudged(
  { ranked, belonging }: AnsweredQuestion["retrieval"],
  { isUsed, isWordsOnly, problem }: Meaning,
): string {
  if (ranked.length === 0) return words.nothingJudged
  if (problem) return userMessage(problem)
  if (!isUsed) return words.meaningOff
  if (isWordsOnly) return words.meaningFollows
  return belonging === undefined ? words.meaningBusy : words.otherModel
}

function quotationFacts(signals: QuoteSignals): Fact[] {
  const held = Math.round(signals.wordsHeld * manyWords)
  return [
    [words.meaning, hundredths(signals.meaning)],
    [words.belonging, hundredths(signals.belonging)],
    [words.wordsHeld, held < manyWords ? String(held) : words.orMore(manyWords)],
    [words.pageCoverage, percent(signals.pageCoverage)],
  ]
}

function wordFacts(signals: Signals): Fact[] {
  return [
    [words.window, percent(signals.windowCoverage)],
    [words.head, percent(signals.headCoverage)],
    [words.unknown, percent(signals.unknownShare)],
  ]
}

export function hundredths(value: number): string {
  return value.toLocaleString("fr", { maximumFractionDigits: 2 })
}
