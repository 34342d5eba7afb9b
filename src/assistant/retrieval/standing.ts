import type { PageKind, Passage } from "../documents/document.ts"

/** Share of its score that a passage of a kind keeps where the question does not ask for that kind: decision 013. */
const behind = 0.8

/** Share of its score that each passage keeps for a question. */
export function standingFor(question: string): (passage: Passage) => number {
  return ({ kind }) => (kind === undefined || asksFor[kind].test(question) ? 1 : behind)
}

const asksFor: Record<PageKind, RegExp> = {
  /** A version, a year, a month, or a word for what is new. */
  news: /(?<![\p{L}\d])(?:v?\d{1,4}\.\d{1,4}|\d{4}|nouve(?:au|aux|auté|autés|lle|lles)|actualités?|actus?|récen(?:t|te|ts|tes|mment)|derni(?:er|ère)s?|chang(?:é|ements?|elog|es|ed)|versions?|news?|latest|recent(?:ly)?|releases?|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)(?![\p{L}\d])/iu,
  /** The subjects of such pages. */
  legal:
    /(?<!\p{L})(?:légal(?:e|es|ement)?|légaux|cg[uv]|conditions générales|confidentialité|rgpd|gdpr|données|cookies?|héberg(?:e|eur|é|ement)|édit(?:e|eur|é)|siret|siren|statuts?|articles?|rétractation|droits? d['’]auteur|propriété intellectuelle|responsabilité|privacy|terms|legal|publisher|copyright)(?!\p{L})/iu,
}
