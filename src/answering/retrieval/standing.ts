import type { Language } from "../../accounts/project.ts"
import type { PassageKind } from "../../index/lance/heading-index.ts"
import { byScore, type RankedPassage } from "../../index/lance/lance.ts"
import type { PageKind } from "../../reading/formats/document.ts"
import { factAsked } from "./asked-fact.ts"

/** Share of its score that a passage of a kind keeps where the question does not ask for that kind: decision 013. */
const behind = 0.8

export type Standing = (passage: PassageKind) => number

/**
 * Share of its score that each passage keeps for a question that is asked on `today`, where that is known. `wanted`: a
 * kind that is asked for, whatever the words. A question for a date or an hour asks for posts too.
 */
export function standingFor(
  question: string,
  language: Language,
  today: string | undefined,
  wanted?: PageKind,
): Standing {
  const isOld = ({ until }: PassageKind) => until !== undefined && today !== undefined && until < today
  const namesYear = year.test(question)
  const fact = factAsked(question, language)
  const asksForPosts = fact === "date" || fact === "hour" || asksFor.news.test(question)
  const namedKinds = (Object.keys(asksFor) as PageKind[]).filter(
    (kind) => kind === wanted || asksFor[kind].test(question),
  )
  return (passage) => {
    const { kind, until } = passage
    // A post is a page that holds until a day.
    const isInPlace = kind === undefined ? until === undefined || asksForPosts : namedKinds.includes(kind)
    const ofKind = isInPlace ? 1 : behind
    return isOld(passage) && !namesYear ? ofKind * behind : ofKind
  }
}

/** Moves passages of news and legal pages behind others. `baseline`: the score of an unrelated passage. */
export function behindOthers(
  ranked: readonly RankedPassage[],
  standing: Standing,
  baseline = 0,
): RankedPassage[] {
  return ranked
    .map((one) => ({ ...one, score: baseline + (one.score - baseline) * standing(one.passage) }))
    .sort(byScore)
}

const year = /(?<!\d)(?:19|20)\d\d(?!\d)/

const asksFor: Record<PageKind, RegExp> = {
  /** A version, a year, a month, or a word for what is new or to come. */
  news: /(?<![\p{L}\d])(?:v?\d{1,4}\.\d{1,4}|\d{4}|prochain(?:e|s|es|ement)?|agenda|[ée]v[èée]nements?|next|upcoming|events?|nouve(?:au|aux|auté|autés|lle|lles)|actualités?|actus?|récen(?:t|te|ts|tes|mment)|derni(?:er|ère)s?|chang(?:é|ements?|elog|es|ed)|versions?|news?|latest|recent(?:ly)?|releases?|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)(?![\p{L}\d])/iu,
  /** A name of code, or a word for one. */
  reference:
    /\p{Ll}\p{Lu}|[\p{L}\d][._]\p{L}|\(\)|(?<![\p{L}\d])(?:--|[@$<])\p{L}|^\p{L}[\p{L}\d_-]*$|(?<!\p{L})(?:api|endpoints?|fonctions?|m[ée]thodes?|param[èe]tres?|propri[ée]t[ée]s?|functions?|methods?|parameters?|arguments?|propert(?:y|ies)|props?|sdk|readme)(?!\p{L})/u,
  /** The subjects of such pages. */
  legal:
    /(?<!\p{L})(?:légal(?:e|es|ement)?|légaux|cg[uv]|conditions générales|confidentialité|rgpd|gdpr|données|cookies?|héberg(?:e|eur|é|ement)|édit(?:e|eur|é)|siret|siren|statuts?|articles?|rétractation|droits? d['’]auteur|propriété intellectuelle|responsabilité|privacy|terms|legal|publisher|copyright)(?!\p{L})/iu,
}
