import type { EvalQuestion } from "../../src/owners/evaluation/question-file.ts"

/** Puts one typing error into one word of five letters or more; the same error in every run. */
export function mistyped(question: EvalQuestion): EvalQuestion {
  const random = randomOf(question.id)
  const words = [...question.question.matchAll(/\p{L}{5,}/gu)]
  const word = words[random(words.length)]
  if (!word) return question
  const [text] = word
  const at = 1 + random(text.length - 2)
  const [before, letter, next, rest] = [text.slice(0, at), text[at], text[at + 1], text.slice(at + 2)]
  const errors = [
    `${before}${next}${rest}`,
    `${before}${letter}${letter}${next}${rest}`,
    `${before}${next}${letter}${rest}`,
    `${before}${alphabet[random(alphabet.length)]}${next}${rest}`,
  ]
  const end = word.index + text.length
  return {
    ...question,
    question:
      question.question.slice(0, word.index) + errors[random(errors.length)] + question.question.slice(end),
  }
}

const alphabet = "abcdefghijklmnopqrstuvwxyz"

/** Pseudorandom integers from 0 up to, not including, `below`, seeded by `id`. */
function randomOf(id: string): (below: number) => number {
  let drawn = 0
  return (below) => Number(Bun.hash.wyhash(`${id} ${drawn++}`) % BigInt(Math.max(below, 1)))
}
