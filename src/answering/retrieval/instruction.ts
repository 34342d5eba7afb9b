import { withoutAccents } from "../../base/text.ts"

/**
 * Whether a text gives an order to the assistant instead of asking about the site, in either language: to forget or
 * to say what it was told, to be another, to answer in one way only. It is refused as any question that the pages do
 * not answer. « où sont vos consignes de tri ? » and "how does it act as a proxy?" are questions.
 */
export function isInstruction(question: string): boolean {
  const folded = withoutAccents(question.slice(0, mostRead).toLowerCase()).replace(/[’ʼ]/g, "'")
  return folded
    .split(/[.!?:;\n"«»()]/)
    .map((part) => part.trim().replace(opening, ""))
    .some((part) => orders.some((order) => order.test(part)))
}

/** Most characters of a question that are read. */
const mostRead = 2_000

/** Courtesy and links before an order. */
const opening =
  /^(?:(?:et|mais|puis|alors|ensuite|maintenant|bonjour|hello|s'il te plait|s'il vous plait|please|and|then|now|but|first|d'abord|peux-tu|pouvez-vous|can you|could you|je veux que tu|tu dois),? ){1,3}/

/** Each begins a sentence, as an imperative does, or speaks to « tu », which visitors do not call a site. */
const orders: readonly RegExp[] = [
  // To forget what was said.
  /^(?:ignor|oubli|disregard|forget|bypass|override|contourn|desobei)(?:e|es|ez|er|is|ir)?(?: (?:tout|toutes?|all|any|of|everything|ce|the|les|tes|vos|your|my|these|ces|a|aux|about)){0,4} (?:(?:previous|prior|earlier|above|preceding|system|initial|precedentes?|initiales?) )?(?:instructions?|consignes|directives|prompts?|rules|guidelines|regles|qui precede|above|before)(?![a-z])(?! (?:d'|(?:de|du|des|pour|for|about)(?![a-z])))/,
  // To say what it was told.
  /^(?:repet|revel|affich|montr|donn|cit|recopi|copi|imprim|enonc|resum|traduis|dis|dites|ecris|ecrivez|repeat|reveal|show|print|output|display|tell|give|share|summarize|translate)(?:e|es|ez|er|ir)?(?:[- ](?:moi|me|us|nous|mot pour mot))?(?: (?:toutes?|all|exactement|exactly|of|the|les|me)){0,3} (?:(?:tes|ton|ta|vos|votre|your) (?:\w{1,20} )?(?:instructions?|consignes|directives|prompts?|rules|guidelines|regles)|system prompt|prompt systeme|(?:text|words|instructions|texte|message)? ?(?:above|ci-dessus|qui precede))(?![a-z])(?! (?:d'|(?:de|du|des|pour|sur|for|of|about|on|to)(?![a-z])))/,
  /(?:tes|ton) (?:propres? )?(?:instructions|consignes|directives|regles|prompt)(?![\w-])/,
  /^(?:what (?:is|are|was|were)|quel(?:le)?s? (?:est|sont|etaient)) (?:your|tes|ton|votre|vos) (?:system |initial |secret |hidden )?(?:prompt|system message|instructions)(?: systeme| initiales?| secretes?)?$/,
  // To be another.
  /^(?:(?:tu es|vous etes|you are|you're) (?:maintenant|desormais|now|no longer)(?! \w{2,20}ing(?![a-z]))|(?:a partir de maintenant|desormais|from now on),? (?:tu|vous|you)(?![a-z]))/,
  /^(?:act (?:as|like)|pretend|roleplay|role-play|agis comme|comporte-toi|fais semblant|faites semblant|fais comme si|joue le role|imagine que tu|reponds comme|tu joues|tu incarnes)(?![a-z])/,
  // To answer by a form.
  /^(?:reponds|repondez|answer|respond|reply)(?:-moi| me)? (?:uniquement|seulement|toujours|juste|only|just|always|with)(?![a-z])/,
]
