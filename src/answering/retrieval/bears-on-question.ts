import type { Vocabulary } from "../../index/lance/vocabulary.ts"
import { factAsked, givesFact, namesFact } from "./asked-fact.ts"
import { dependsOnConversation, isAnaphoric } from "./depends-on-conversation.ts"
import { inverseFrequency, type Question } from "./question.ts"
import { holds, type Quotation, quotationTerms } from "./quote-signals.ts"

/** Least share of what a question names that a quotation holds, words weighing by their rarity. */
const minShare = 0.4
/** The same of a question that leans by its form: « et pour un site de test ? » */
const minShareOfLeaning = 0.2
/** A verb or an adjective names less than a noun. */
const otherWeight = 0.2

/**
 * Whether a quotation that an earlier question's words found is about what this question names, in one of its forms.
 * Otherwise an unrelated question would get the answer before again. A question that names nothing leans on what was
 * said. With a pronoun for it, or where the quotation gives the kind of fact, only nouns and names can be missing.
 */
export function bearsOn(forms: readonly Question[], quotation: Quotation, vocabulary: Vocabulary): boolean {
  return forms.some((form) => {
    const isLeaning = dependsOnConversation(form.text, vocabulary.language)
    return shareOfNamed(form, quotation, vocabulary) >= (isLeaning ? minShareOfLeaning : minShare)
  })
}

function shareOfNamed(question: Question, quotation: Quotation, { language, passages }: Vocabulary): number {
  const { text, written } = question
  const { all } = quotationTerms(question, [quotation], language)
  const kind = factAsked(text, language)
  const isGiven = kind !== undefined && givesFact(quotation.markdown, kind, text)
  const onlyNouns = isGiven || isAnaphoric(text, language)
  let [held, total] = [0, 0]
  for (const [at, word] of written.entries()) {
    if (kind !== undefined && namesFact(word.text, kind)) continue
    // "a whole domain": an English adjective stands where nouns are told by.
    const followsAdjective = language === "en" && written[at - 1]?.isNoun === true
    const isNaming = word.isNoun || word.isName || followsAdjective
    const isHeld = holds(all, word)
    if (!isHeld && !isNaming && onlyNouns) continue
    const weight = inverseFrequency(Math.max(1, word.frequency), passages) * (isNaming ? 1 : otherWeight)
    total += weight
    if (isHeld) held += weight
  }
  return total === 0 ? 1 : held / total
}
