import { stopwords as english } from "@orama/stopwords/english"
import { stopwords as french } from "@orama/stopwords/french"
import type { Language } from "../../accounts/project.ts"
import { withoutAccents } from "../../base/text.ts"

/** How a question is put, and what it is polite to say: nothing that a documentation could be about. */
const frenchOfQuestions =
  "a ca ces cest jai nai si donc car comme alors aussi tres plus moins comment pourquoi quoi quand combien lequel " +
  "laquelle lesquels lesquelles quelque quelques peut peux peuvent pouvez pouvons pouvoir puis puisse dois doit " +
  "doivent devez devons devoir faut faudrait veux veut voudrais souhaite souhaiterais aimerais etre avoir va vais " +
  "bonjour bonsoir merci svp sil stp aujourd hui est-ce qu-est-ce y-a-t-il https http www"
const englishOfQuestions =
  "a s t d ll re ve m dont doesnt didnt cant wont isnt arent im ive id whats hows wheres whos lets please thanks thank hello hi want need https http www"

/** Folded as the analyser folds: lower case, no accents. */
export const stopWords: Record<Language, ReadonlySet<string>> = {
  fr: folded(french, frenchOfQuestions),
  en: folded(english, englishOfQuestions),
}

function folded(kept: readonly string[], added: string): ReadonlySet<string> {
  return new Set([...kept, ...added.split(" ")].map(withoutAccents))
}
