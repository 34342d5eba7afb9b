import { type Candidate, type CandidateUnit, type QuestionWeights, questionShare } from "./candidate.ts"
import type { Piece, UnitRange } from "./pieces.ts"

/** Pieces in a row: what a person would copy from the page in one go. */
export interface Window extends UnitRange {
  /** The line that introduces the list in whose middle the window begins. */
  lead: number | undefined
  words: number
  score: number
}

/** A window's score: its three most relevant pieces, halved each time. */
const pieceShares = [1, 0.5, 0.25] as const
/** A piece that begins after this many words counts a little less, so that what answers stands early. */
const late = { afterWords: 60, share: 0.9 }
/** Pieces of a window: no list that anybody reads has more items. */
const maxPieces = 60
/** Between windows that say the same the longer one wins, up to its limit. */
const wordScore = 0.001
/** A window does not begin with a piece less relevant than this share of its most relevant one. */
const minFirstShare = 0.6

/**
 * The pieces of a passage that say most about the question, in at most `maxWords` words unless the first piece alone
 * has more. undefined when nothing of the passage can be read, or no unit `gives` what is wanted. The relevance of a
 * unit is its nearness plus the share of the question that it holds, and the fact that is asked for.
 */
export function bestWindow(
  candidate: Candidate,
  weights: QuestionWeights,
  maxWords: number,
  gives?: (unit: CandidateUnit) => boolean,
) {
  const { units, pieces } = candidate
  const relevance = pieceRelevance(pieces, unitRelevance(candidate, weights))
  const holdingRarest = piecesWithRarest(candidate, weights, pieces)
  // Where every piece leans on text that is not there, the first one is the best there is.
  const readable = pieces.filter(({ isUnreadable }) => !isUnreadable)
  const fallback = readable.every(({ leans }) => leans) ? readable[0] : undefined
  const sectionOf = ({ from }: Piece) => (units[from] as CandidateUnit).section
  let best: Window | undefined
  for (const [start, first] of pieces.entries()) {
    if (first.isUnreadable || (first.leans && first !== fallback)) continue
    const next = pieces[start + 1]
    const mayBeginLater = next !== undefined && !next.leans && !next.isUnreadable
    let words = first.lead === undefined ? 0 : (units[first.lead] as CandidateUnit).words
    let top: [number, number, number] = [0, 0, 0]
    let isRarestHeld = false
    for (let end = start; end < pieces.length && end - start < maxPieces; end++) {
      const piece = pieces[end] as Piece
      if (piece.isUnreadable) break
      // Joined sections are entries of their own: a quotation stays within one that says something.
      const before = pieces[end - 1] as Piece
      if (end > start && sectionOf(piece) !== sectionOf(before) && !before.runsOn) break
      if (end > start && words + piece.words > maxWords) break
      // On a page of questions and answers each is an entry of its own.
      if (end > start && asks(units[piece.from])) break
      // An answer begins at the piece with the rarest word.
      if (end > start && !isRarestHeld && !piece.leans && holdingRarest.has(piece)) break
      isRarestHeld ||= holdingRarest.has(piece)
      top = withTop(top, (relevance[end] as number) * (words > late.afterWords ? late.share : 1))
      words += piece.words
      const isLast = end + 1 === pieces.length || sectionOf(pieces[end + 1] as Piece) !== sectionOf(piece)
      if (gives && !units.slice(first.from, piece.to + 1).some(gives)) continue
      if (piece.announces && (!isLast || end > start)) continue
      if (end > start && mayBeginLater && (relevance[start] as number) < minFirstShare * top[0]) continue
      const score = pieceShares.reduce(
        (sum, share, at) => sum + share * (top[at] as number),
        wordScore * words,
      )
      if (!best || score > best.score)
        best = { from: first.from, to: piece.to, lead: first.lead, words, score }
    }
  }
  return best
}

function asks(unit: CandidateUnit | undefined): boolean {
  return unit?.kind === "label" && /\? ?[*_]*$/.test(unit.markdown.slice(-8))
}

/** Where a unit gives the fact that is asked for, no other one gains by the words of the heading. */
function unitRelevance({ units, headHolds }: Candidate, weights: QuestionWeights): number[] {
  const nearnesses = units.flatMap(({ nearness }) => nearness ?? [])
  const mean =
    nearnesses.length === 0 ? 0 : nearnesses.reduce((sum, nearness) => sum + nearness, 0) / nearnesses.length
  const isFactGiven = units.some(({ fact }) => fact > 0)
  return units.map(({ nearness, holds, fact }) => {
    const counted = isFactGiven && fact === 0 ? holds.filter((place) => !headHolds.includes(place)) : holds
    return (nearness ?? mean) + questionShare(weights, counted) + fact
  })
}

/** That of its most relevant unit. */
function pieceRelevance(pieces: readonly Piece[], relevance: readonly number[]): number[] {
  return pieces.map(({ from, to }) => {
    let most = 0
    for (let at = from; at <= to; at++) most = Math.max(most, relevance[at] as number)
    return most
  })
}

/**
 * The pieces with the weightiest of the question's words that the text below the heading has. Of pieces that
 * give the fact that is asked for, those with the weightiest word that others lack: the name of what has it.
 */
function piecesWithRarest(
  { units, headHolds }: Candidate,
  weights: QuestionWeights,
  pieces: readonly Piece[],
): ReadonlySet<Piece> {
  const unitsOf = ({ from, to }: Piece) => units.slice(from, to + 1)
  const giving = pieces.filter((piece) => unitsOf(piece).some(({ fact }) => fact > 0))
  const placesOf = (piece: Piece) => new Set(unitsOf(piece).flatMap(({ holds }) => holds))
  const held = giving.map(placesOf)
  const telling = new Set(held.flatMap((places) => [...places])).difference(
    held.reduce((common, places) => common.intersection(places), held[0] ?? new Set<number>()),
  )
  const [among, places] =
    telling.size > 0
      ? [giving, telling]
      : [pieces, new Set(units.flatMap(({ holds }) => holds)).difference(new Set(headHolds))]
  const rarest = heaviest(places, weights)
  if (rarest === undefined) return new Set()
  return new Set(among.filter((piece) => unitsOf(piece).some(({ holds }) => holds.includes(rarest))))
}

/** The first of those that weigh most; undefined where none weighs anything. */
function heaviest(places: Iterable<number>, weights: QuestionWeights): number | undefined {
  let most: number | undefined
  for (const place of places)
    if ((weights[place] ?? 0) > (most === undefined ? 0 : (weights[most] ?? 0))) most = place
  return most
}

function withTop([first, second, third]: [number, number, number], value: number): [number, number, number] {
  if (value > first) return [value, first, second]
  if (value > second) return [first, value, second]
  return [first, second, Math.max(third, value)]
}
