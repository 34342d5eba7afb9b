import { fold } from "../../base/text.ts"

/** A question that is only a greeting or only thanks. It asks for nothing, so no documentation lacks the answer. */
export type Courtesy = "greeting" | "thanks"

/** Folded, in both languages: visitors greet in English on French sites. */
const words: Record<Courtesy, ReadonlySet<string>> = {
  greeting: wordSet("bonjour rebonjour bonsoir salut coucou bjr slt hello hi hey morning afternoon evening"),
  thanks: wordSet("merci mercis remercie remerciements thank thanks thx bye goodbye revoir"),
}
/** Words that may stand beside one of those. */
const fillers = wordSet(
  "a au tous toutes tout le la les monde madame monsieur mesdames messieurs et je te vous toi l equipe bonne bon journee " +
    "soiree bien beaucoup infiniment mille grand un d avance par pour de votre ton vos ta aide reponse reponses retour " +
    "ok okay super parfait genial top there everyone everybody all team and good day you so very much a lot many in " +
    "advance for your the help answer reply great perfect",
)
/** A longer text says something more. */
const maxWords = 10

/** Recognises « Bonjour ! », « merci beaucoup » and « Hello 👋 »; undefined when another word stands beside. */
export function courtesyOf(question: string): Courtesy | undefined {
  const spoken = fold(question).match(/[\p{L}\p{N}]+/gu) ?? []
  if (spoken.length > maxWords) return undefined
  let courtesy: Courtesy | undefined
  for (const word of spoken) {
    const kind = words.greeting.has(word) ? "greeting" : words.thanks.has(word) ? "thanks" : undefined
    if (kind === undefined && !fillers.has(word)) return undefined
    courtesy ??= kind
  }
  return courtesy
}

function wordSet(listed: string): ReadonlySet<string> {
  return new Set(listed.split(" "))
}
