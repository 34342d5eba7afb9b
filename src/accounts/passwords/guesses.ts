import { ZxcvbnFactory } from "@zxcvbn-ts/core"
import { adjacencyGraphs, dictionary as common } from "@zxcvbn-ts/language-common"
import { dictionary as french } from "@zxcvbn-ts/language-fr"
import { plainWord } from "./context-words.ts"

/**
 * How many tries an attacker needs who knows breached passwords, French words and names, keyboards, dates and habits of
 * writing. 65 MB and .3 s to load: a process of its own does so (`judge.ts`).
 */

/** Below it a password falls to a patient guesser, even over the network (zxcvbn's score of 3). */
const fewestGuesses = 1e8
/**
 * The library's work grows with the square of the length and with the substitutions that it tries: 32 characters take
 * at most 40 ms, 256 took 29 s. What is longer is judged by its beginning.
 */
const limits = { maxLength: 32, l33tMaxSubstitutions: 5 }

export interface Judgement {
  password: string
  /** Words that an attacker would try here first, as `plainWord` writes them. */
  words: string[]
}

export function openGuesses(): (of: Judgement) => boolean {
  const estimator = new ZxcvbnFactory({
    dictionary: { ...common, ...french },
    graphs: adjacencyGraphs,
    ...limits,
  })
  const isWeak = (text: string, words: string[]) => estimator.check(text, words).guesses < fewestGuesses
  return ({ password, words }) => isWeak(password, words) || isWeak(without(words, password), [])
}

/** The rest of a password whose attacker knows the words already. */
function without(words: string[], password: string): string {
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  return longestFirst.reduce((rest, word) => rest.replaceAll(word, ""), plainWord(password))
}
