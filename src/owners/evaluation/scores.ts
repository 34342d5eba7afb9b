import type { EvalQuestion } from "./question-file.ts"

/** The result of asking one question. */
export interface EvalReply {
  /** Paths of the documents of the ranked passages, best first. */
  ranked: string[]
  answered: boolean
  /** The reply as the visitor gets it, markers included. */
  text: string
  /** Paths of the documents that the answer cites. */
  cited: string[]
}

/** Ranks are by page, over answerable questions without `previous`; null where no question counts. */
export interface EvalScores {
  hit1: number | null
  hit5: number | null
  mrr10: number | null
  followup_hit5: number | null
  /** Share of the answered answerable questions whose answer cites a right page. */
  cited: number | null
  /** Share of answered questions by kind. */
  answered: Record<string, number>
  questions: number
}

export function scoreReplies(replies: readonly (readonly [EvalQuestion, EvalReply])[]): EvalScores {
  const answerable = replies.filter(([question]) => question.answerable)
  const single = answerable.filter(([question]) => question.previous === undefined).map(rightPageRank)
  const followups = answerable.filter(([question]) => question.previous !== undefined).map(rightPageRank)
  const answered = answerable.filter(([, reply]) => reply.answered)
  const kinds = [...new Set(replies.map(([question]) => question.kind))]
  return {
    hit1: share(single, (rank) => rank <= 1),
    hit5: share(single, (rank) => rank <= 5),
    mrr10: mean(single.map((rank) => (rank <= 10 ? 1 / rank : 0))),
    followup_hit5: share(followups, (rank) => rank <= 5),
    cited: share(answered, ([question, reply]) => citesRightPage(question, reply)),
    answered: Object.fromEntries(
      kinds.map((kind) => [
        kind,
        share(
          replies.filter(([question]) => question.kind === kind),
          ([, reply]) => reply.answered,
        ) as number,
      ]),
    ),
    questions: replies.length,
  }
}

export function citesRightPage(question: EvalQuestion, { cited }: EvalReply): boolean {
  return cited.some((page) => isRightPage(question, page))
}

/** Rank of the first right page, from 1; infinite when no ranked page is right. */
function rightPageRank([question, reply]: readonly [EvalQuestion, EvalReply]): number {
  const pages = [...new Set(reply.ranked.map(normalisedPage))]
  const index = pages.findIndex((page) => isRightPage(question, page))
  return index < 0 ? Number.POSITIVE_INFINITY : index + 1
}

function isRightPage(question: EvalQuestion, page: string): boolean {
  return question.pages.some((right) => normalisedPage(right) === normalisedPage(page))
}

/** Ignores a final `/index` or slash. */
function normalisedPage(path: string): string {
  return path.replace(/(^|\/)index$/, "").replace(/\/$/, "")
}

function share<Item>(items: readonly Item[], holds: (item: Item) => boolean): number | null {
  return mean(items.map((item) => (holds(item) ? 1 : 0)))
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
