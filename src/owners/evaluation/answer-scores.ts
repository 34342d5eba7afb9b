import { type EvalQuestion, parseLines } from "./question-file.ts"
import type { EvalReply } from "./scores.ts"

/** Texts that answer the questions of a file, by question id. Each text alone is enough. */
export type AnswerTexts = ReadonlyMap<string, readonly string[]>

/** Whether replies hold an answer; null where no question counts. */
export interface AnswerScores {
  /** Share of the questions with texts whose reply holds one of them. */
  holds: number | null
  /** Share of those whose text ends within the first 80 words. */
  held_early: number | null
  /** Mean number of quoted blocks of an answer. */
  blocks: number | null
  /** Number of questions with texts that were not answered. */
  refused: number
  /** Share of answered questions among the unanswerable ones that come near the topic. */
  near_topic: number | null
  /** The same among those of kind `outside`. */
  outside: number | null
  /** Words of the answers to questions with texts. */
  words: { median: number; p90: number } | null
}

const earlyWords = 80

/**
 * Reads an answer file: lines of `{"id","texts":[…]}`. A question without texts is left out of the scores. Throws
 * an Error that names the first invalid line.
 */
export function parseAnswerTexts(text: string): AnswerTexts {
  const lines = parseLines<{ id: string; texts: string[] }>(text, '{"id","texts":[…]}', ({ id, texts }) => {
    const isComplete =
      typeof id === "string" && Array.isArray(texts) && texts.every((text) => typeof text === "string")
    return isComplete ? { id, texts } : undefined
  })
  return new Map(lines.map(({ id, texts }) => [id, texts]))
}

export function scoreAnswers(
  replies: readonly (readonly [EvalQuestion, EvalReply])[],
  answerTexts: AnswerTexts,
): AnswerScores {
  const judged = replies.flatMap(([question, reply]) => {
    const texts = question.answerable ? (answerTexts.get(question.id) ?? []) : []
    return texts.length === 0
      ? []
      : [{ reply, heldAt: reply.answered ? heldAt(reply.text, texts) : undefined }]
  })
  const answered = judged.filter(({ reply }) => reply.answered)
  const held = judged.flatMap(({ heldAt }) => heldAt ?? [])
  const lengths = answered.map(({ reply }) => countWords(plain(reply.text))).sort((one, other) => one - other)
  const unanswerable = replies.filter(([question]) => !question.answerable)
  return {
    holds: ratio(held.length, judged.length),
    held_early: ratio(held.filter((words) => words <= earlyWords).length, held.length),
    blocks: ratio(
      answered.reduce((sum, { reply }) => sum + countBlocks(reply.text), 0),
      answered.length,
    ),
    refused: judged.length - answered.length,
    near_topic: answeredShare(unanswerable.filter(([{ kind }]) => kind !== "outside")),
    outside: answeredShare(unanswerable.filter(([{ kind }]) => kind === "outside")),
    words: lengths.length === 0 ? null : { median: percentile(lengths, 0.5), p90: percentile(lengths, 0.9) },
  }
}

/** Whether a text holds one of the answering ones. */
export function holdsText(text: string, texts: readonly string[]): boolean {
  return heldAt(text, texts) !== undefined
}

/** Words of the reply up to the end of the first text that it holds; undefined when it holds none. */
function heldAt(reply: string, texts: readonly string[]): number | undefined {
  const read = plain(reply)
  const ends = texts.flatMap((text) => {
    const wanted = plain(text)
    const at = read.indexOf(wanted)
    return at < 0 ? [] : [countWords(read.slice(0, at + wanted.length))]
  })
  return ends.length === 0 ? undefined : Math.min(...ends)
}

/** A text as it is compared: its words in lower case, without markers, link addresses and marks. */
export function plain(text: string): string {
  return text
    .replace(/ ?\[\^\d+\]/g, "")
    .replace(/\]\([^()\s]*\)/g, "]")
    .replace(/[*_`[\]\\]/g, "")
    .replace(/[’ʼ]/g, "'")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase()
}

function countWords(plainText: string): number {
  return plainText === "" ? 0 : plainText.split(" ").length
}

/** Every quoted block ends with its markers. */
function countBlocks(reply: string): number {
  return (reply.match(/\[\^\d+\](?!\[\^)/g) ?? []).length
}

function answeredShare(replies: readonly (readonly [EvalQuestion, EvalReply])[]): number | null {
  return ratio(replies.filter(([, { answered }]) => answered).length, replies.length)
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] as number
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
