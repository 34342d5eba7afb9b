import { stopwords as english } from "@orama/stopwords/english"
import { stopwords as french } from "@orama/stopwords/french"
import type { Language } from "../../accounts/project.ts"
import { withoutAccents } from "../../base/text.ts"

/** Added to the packages' lists: question words and polite phrases, which no documentation is about. */
const frenchQuestionWords =
  "a ca ces cest jai nai si donc car comme alors aussi tres plus moins comment pourquoi quoi quand combien lequel " +
  "laquelle lesquels lesquelles quelque quelques peut peux peuvent pouvez pouvons pouvoir puis puisse dois doit " +
  "doivent devez devons devoir faut faudrait veux veut voudrais souhaite souhaiterais aimerais etre avoir va vais " +
  "bonjour bonsoir merci svp sil stp aujourd hui est-ce qu-est-ce y-a-t-il https http www"
const englishQuestionWords =
  "a s t d ll re ve m dont doesnt didnt cant wont isnt arent im ive id whats hows wheres whos lets please thanks thank hello hi want need https http www"

/** Folded as by the analyser: lower case, no accents. */
export const stopWords: Record<Language, ReadonlySet<string>> = {
  fr: folded(french, frenchQuestionWords),
  en: folded(english, englishQuestionWords),
}

function folded(listed: readonly string[], added: string): ReadonlySet<string> {
  return new Set([...listed, ...added.split(" ")].map(withoutAccents))
}
