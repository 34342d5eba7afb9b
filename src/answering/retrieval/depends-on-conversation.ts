import type { Language } from "../../accounts/project.ts"
import { withoutAccents } from "../../base/text.ts"

/**
 * Whether a question leans on the conversation before it: it begins as the rest of a sentence (« et pour… ? »), or
 * is short and has a pronoun for something that was said. Any other question is first looked for on its own,
 * because the words of an earlier one would find that one's passages again.
 */
export function dependsOnConversation(question: string, language: Language): boolean {
  const own = folded(question, language)
  return signs[language].opening.test(own) || hasPronoun(own, language)
}

/** Whether a short question has a pronoun for something that was said: its other verbs then say little. */
export function isAnaphoric(question: string, language: Language): boolean {
  return hasPronoun(folded(question, language).replace(signs[language].expletive, " "), language)
}

function folded(question: string, language: Language): string {
  const plain = withoutAccents(question.toLowerCase()).replace(/[’ʼ]/g, "'").trim()
  return plain.replace(signs[language].impersonal, " ")
}

function hasPronoun(own: string, language: Language): boolean {
  return signs[language].pronoun.test(own) && isShort(own)
}

/** Whether a question has few enough words to lean on what was said before. */
export function isShort(question: string): boolean {
  // A French question mark stands alone after a space, and is no word.
  const words = question.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  return words.length <= maxDependentWords
}

/** In a longer question a pronoun stands for something that the question names itself. */
export const maxDependentWords = 10

/** How each language leans, in lower case without accents. */
const signs: Record<Language, Record<"impersonal" | "expletive" | "opening" | "pronoun", RegExp>> = {
  fr: {
    impersonal: /\b(?:comment ca (?:marche|fonctionne)|ca marche comment|est-ce que c'est possible)\b/g,
    expletive:
      /\bil (?:faut|existe|suffit|fait|pleut|vaut mieux|est (?:possible|obligatoire|necessaire|interdit))\b/g,
    opening:
      /^(?:et|mais|ou bien|sinon|alors|dans ce cas|idem|pareil|meme (?:chose|question)|aussi|pourquoi \?|comment \?|lequel|laquelle|lesquels|lesquelles)(?![\w-])/,
    pronoun:
      /(?<![\w-])(?:(?:il|elle|ils|elles)(?! y a)(?![\w'])|y (?!a |a-|avait|aura)|(?:ca|cela|ceci|celui|celle|ceux|celles|celui-ci|celle-ci|ceux-ci|celles-ci|celui-la|celle-la)(?![\w'])|(?:comment|pour|pas|de|a|sans|peut-on|puis-je|faut-il|dois-je|peux|veux) (?:le |la |les |lui |leur |en |l')(?:[a-z]{2,20}(?:[^i]er|ifier|ublier|opier|ir|dre|tre)(?!\w)))/,
  },
  en: {
    impersonal:
      /\b(?:is it (?:possible|necessary|safe|ok)|does it matter|how does it work|(?:is|are|was|were) there|there (?:is|are))\b/g,
    expletive: /\bit (?:rains|is (?:possible|necessary|allowed))\b/g,
    opening:
      /^(?:and|but|or|then|otherwise|in that case|also|same|what about|how about|why \?|which one)(?![\w-])/,
    pronoun: /(?<![\w'-])(?:it|its|this one|that one|these|those|them|they|the same|there|then)(?![\w'])/,
  },
}
