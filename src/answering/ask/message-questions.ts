import { withoutAccents } from "../../base/text.ts"
import { courtesyOf } from "./courtesy.ts"

/** Questions of a message that are looked for. */
const maxQuestions = 3
/** A longer sentence is told by its beginning. */
const maxSentence = 400

/**
 * The sentences of a message that ask something, in either language: a question by its mark or by its first words,
 * and « je voudrais savoir si… ». Each without what leads to it (« bonjour, », « pouvez-vous me dire comment… »).
 * A sentence that asks a person to do something (« pouvez-vous me rappeler ? », a quote, an appointment) is none, nor
 * is a complaint in the form of a question.
 */
export function questionsIn(message: string): string[] {
  return message
    .split(/(?<=[.!?…])(?=\s)|\n/)
    .map((part) => withoutGreeting(part.trim()))
    .filter(asksSomething)
    .slice(0, maxQuestions)
    .map((part) => part.replace(leadIn, ""))
}

const leadIn =
  /^.{0,120}?(?<!\p{L})(?:dire|indiquer|expliquer|pr[ée]ciser|savoir|comprendre|sais pas|demande|tell me|know|explain)\s(?=(?:comment|où|ou|quand|pourquoi|combien|quel(?:le)?s?|how|where|when|why|which|what)(?!\p{L}))/iu

function withoutGreeting(sentence: string): string {
  const [start = "", ...rest] = sentence.split(",")
  return courtesyOf(start) && rest.length > 0 ? rest.join(",").trim() : sentence
}

function asksSomething(part: string): boolean {
  const own = withoutAccents(part.slice(0, maxSentence).toLowerCase()).replace(/[’ʼ]/g, "'")
  if (asksToAct.some((form) => form.test(own))) return false
  if (/\?[\s!.»)"]{0,9}$/.test(part)) return true
  return !part.endsWith("!") && asksWithoutMark.some((form) => form.test(own))
}

/** Forms of a question whose answer is something done, or that is none. */
const asksToAct: readonly RegExp[] = [
  // « Pourriez-vous me rappeler ? », but « pouvez-vous me dire où… » asks.
  /\b(?:(?:pouvez|pourriez|voulez|voudriez|souhaitez)-vous|vous (?:pouvez|pourriez)|(?:peux|pourrais)-tu|(?:peut|pourrait)-on|(?:est|serait)-il possible (?:de|que)|est-ce possible (?:de|que)) (?:bien |svp |s'il vous plait )?(?:vous |quelqu'un )?(?:(?:me|nous|ns) |m')(?!dire|indiquer|expliquer|preciser|informer|renseigner|confirmer|eclairer|conseiller|apprendre)/,
  /\b(?:can|could|would|will) (?:you|someone|somebody|anyone) (?:please )?(?:call|contact|email|write|send|get back|reply|quote)\b/,
  // A quote or an appointment, whoever is to make it.
  /\b(?:avoir|obtenir|recevoir|etablir|faire|envoyer|adresser|transmettre|proposer|parvenir|fixer|convenir|prendre|get|have|send|receive|arrange|book)(?: [a-z']{1,12}){0,3} (?:d'un |un |une |votre |notre |a |an |your )?(?:devis|offre|proposition|entretien|rendez-vous|rdv|estimation|quote|quotation|appointment|interview)\b/,
  /\b(?:comment (?:se fait-il|expliquez-vous|osez|(?:est-il|est-ce) possible que)|trouvez-vous (?:ca |cela )?normal|vous trouvez (?:ca |cela )?normal|de qui (?:se moque|vous moquez)|quand (?:allez|comptez|daignerez)-vous|jusqu'a quand (?:va|vais|allez|faudra)|how dare|how is it possible that)/,
]

/** First words of a question, and what asks within a sentence. Without accents. */
const asksWithoutMark: readonly RegExp[] = [
  /^(?:et |mais |sinon |alors |aussi |donc )?(?:comment|combien|pourquoi|est-ce qu|qu'est-ce qu|c'est quoi|c'est quand|c'est combien|c'est ou|ou (?:se|est|sont|puis|peut|trouve|faut|dois|avez|acheter|aller)\b|quand (?:est-ce|est|sont|a lieu|ont lieu|ouvre|ferme|commence|faut|peut|puis|dois)|quel(?:le)?s? (?:est|sont|etai|documents?|pieces?|horaires?|tarifs?|prix|delais?|jours?|adresse|numero)|a (?:quel|qui|partir de)|de (?:quel|combien)|qui (?:est|sont|peut|doit|contacter|appeler|s'occupe)|(?:puis|dois|pourrais)-je|(?:peut|doit|faut|pourrait)-(?:on|il)|y a-t-il|existe-t-il|avez-vous|faites-vous|etes-vous|acceptez-vous|proposez-vous|(?:how|where|when|why|which|who) (?:\w{1,12}) |what (?:is|are|do|does|time)|(?:can|may|do|should|must) i\b|(?:do|can|are) you\b|is (?:there|it)\b|are there\b)/,
  /\b(?:voudrais|aimerais|souhaite|souhaiterais|voulais|veux|cherche a|besoin de|like to|need to|want to)(?: bien)? (?:savoir|connaitre|comprendre|know|understand)\b/,
  /\b(?:sais|comprends|trouve|vois|arrive) pas (?:a (?:savoir|comprendre|trouver) )?(?:comment|ou|quand|si|pourquoi|combien|quel|a qui|qui)\b|\bme demand(?:e|ais) (?:si|comment|ou|quand|pourquoi|combien|quel|s'il)|\bi (?:wonder|am wondering|don't know|do not know) (?:if|whether|how|where|when|why|which|what)\b/,
  /\b(?:dire|indiquer|expliquer|preciser|savoir|dites-moi|tell me|let me know|explain) (?:si|s'il|comment|ou|quand|pourquoi|combien|quel|a quel|a qui|ce qu|if|whether|how|where|when|why|which|what)\b/,
]
