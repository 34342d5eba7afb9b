import { fold, foldCased } from "../../base/text.ts"

/** A Hunspell dictionary, read for search: without accents, and from inflected forms to their lemmas. */
export interface Dictionary {
  /** True for a folded word of the dictionary in any inflection. */
  knows(word: string): boolean
  /** The lemma of a folded form: itself if the dictionary lists it, else the lemma that differs least. */
  lemmaOf(word: string): string | undefined
  isLemma(word: string): boolean
  isVerb(word: string): boolean
  /** The verb whose past participle (masculine singular) the folded word is. */
  verbOfParticiple(word: string): string | undefined
}

/**
 * Reads the two files of a dictionary that declares `FLAG long` (two characters a flag). Conditions of affix
 * rules are not read: a rule applies only to lemmas that carry its flag, and a superfluous form is harmless.
 */
export function readDictionary(affixes: string, words: string): Dictionary {
  const { rules, participles, verbFlags } = readSuffixes(affixes)
  const flagsOfWord = readWords(words)
  const flagSets = new Map<string, Flags>()
  /** Flags of a lemma; undefined for a proper name or no lemma. */
  const flagsOf = (word: string): Flags | undefined => {
    const listed = flagsOfWord.get(word)
    if (listed === undefined || listed === nameOnly) return undefined
    let flags = flagSets.get(listed)
    if (!flags) {
      const own = new Set(listed.match(/../gs))
      flags = { own, hasVerb: !own.isDisjointFrom(verbFlags) }
      flagSets.set(listed, flags)
    }
    return flags
  }
  const beginnings = beginningsFilter(flagsOfWord.keys())
  const inflected = (word: string, table: SuffixRules): string | undefined => {
    const hashes = beginnings.hashesIn(word)
    const first = Math.max(1, word.length - table.longest)
    for (let start = hashes.length - 1; start >= first; start--)
      for (const [strip, flags] of table.byEnding.get(word.slice(start)) ?? []) {
        if (!beginnings.mayContinue(hashes[start] as number, strip)) continue
        const lemma = word.slice(0, start) + strip
        const own = flagsOf(lemma)?.own
        if (own && flags.some((flag) => own.has(flag))) return lemma
      }
    return undefined
  }
  return {
    knows: (word) => flagsOfWord.has(word) || inflected(word, rules) !== undefined,
    lemmaOf: (word) => (flagsOf(word) ? word : inflected(word, rules)),
    isLemma: (word) => flagsOf(word) !== undefined,
    isVerb: (word) => infinitive.test(word) && flagsOf(word)?.hasVerb === true,
    verbOfParticiple: (word) => inflected(word, participles),
  }
}

interface Flags {
  own: ReadonlySet<string>
  /** Whether one of them is a conjugation. */
  hasVerb: boolean
}

/** A Bloom filter of the beginnings of words: most guesses of a lemma need no look-up. */
function beginningsFilter(words: Iterable<string>) {
  const bits = new Uint32Array(1 << 17)
  for (const word of words) {
    let hash = 0
    for (let at = 0; at < word.length; at++) {
      hash = longer(hash, word, at)
      const bit = filterBit(hash)
      bits[bit >>> 5] = (bits[bit >>> 5] as number) | (1 << (bit & 31))
    }
  }
  const holds = (hash: number) => {
    const bit = filterBit(hash)
    return ((bits[bit >>> 5] as number) & (1 << (bit & 31))) !== 0
  }
  return {
    /** The hash of each beginning, from the empty one to the longest that words may have. */
    hashesIn(word: string): number[] {
      const hashes = [0]
      for (let at = 0; at < word.length; at++) {
        const hash = longer(hashes[at] as number, word, at)
        if (!holds(hash)) break
        hashes.push(hash)
      }
      return hashes
    },
    mayContinue(hash: number, letters: string): boolean {
      let whole = hash
      for (let at = 0; at < letters.length; at++) whole = longer(whole, letters, at)
      return holds(whole)
    },
  }
}

function longer(hash: number, text: string, at: number): number {
  return (Math.imul(hash, 0x01000193) + text.charCodeAt(at) + 1) | 0
}

function filterBit(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> 10
}

interface SuffixRules {
  /** By the ending of a form: the ending of its lemma, and flags, one of which the lemma needs. */
  byEnding: Map<string, Map<string, string[]>>
  /** Letters of the longest ending. */
  longest: number
}

const infinitive = /(?:er|ir|re)$/
/** Stands for the flags of a word that is listed with a capital only. */
const nameOnly = "^"

function readSuffixes(affixes: string) {
  const rules: SuffixRules = { byEnding: new Map(), longest: 0 }
  const participles: SuffixRules = { byEnding: new Map(), longest: 0 }
  const verbFlags = new Set<string>()
  for (const line of affixes.split("\n")) {
    const [kind, flag = "", stripped = "", added = "", condition] = line.split(/\s+/)
    if (kind !== "SFX" || condition === undefined) continue
    const [suffix = "", continuation = ""] = added.split("/")
    const [strip, add] = [stripped, suffix].map((part) => (part === "0" ? "" : fold(part))) as [
      string,
      string,
    ]
    addRule(rules, add, strip, flag)
    if (add.endsWith("ant")) verbFlags.add(flag)
    // Elisions tell a participle from the finite forms: "l'envoyé", but "j'envoie".
    if (infinitive.test(strip) && /^(?:L'D'Q'|d'q')$/.test(continuation) && !suffix.endsWith("e"))
      addRule(participles, add, strip, flag)
  }
  return { rules, participles, verbFlags }
}

function addRule(rules: SuffixRules, add: string, strip: string, flag: string): void {
  const strips = rules.byEnding.getOrInsertComputed(add, () => new Map())
  const flags = strips.getOrInsert(strip, [])
  if (!flags.includes(flag)) flags.push(flag)
  rules.longest = Math.max(rules.longest, add.length)
}

/** The flags of each word, joined. Words with joiners are left out, since their parts are looked up. */
function readWords(words: string): Map<string, string> {
  const flagsOfWord = new Map<string, string>()
  /** One string for each combination of flags, instead of one for each word. */
  const flagStrings = new Map<string, string>()
  // Folded as a whole, but for the case, which flags need: a tenth of the time of folding each word.
  for (const line of foldCased(words).split("\n")) {
    const [entry = ""] = line.split("\t", 1)
    const slash = entry.indexOf("/")
    const word = slash < 0 ? entry : entry.slice(0, slash)
    const flags = slash < 0 ? "" : entry.slice(slash + 1)
    if (!plainWord.test(word)) continue
    const lowered = word.toLowerCase()
    const before = flagsOfWord.get(lowered)
    if (lowered !== word) {
      if (before === undefined) flagsOfWord.set(lowered, nameOnly)
      continue
    }
    const all = before === undefined || before === nameOnly ? flags : before + flags
    if (!flagStrings.has(all)) flagStrings.set(all, all)
    flagsOfWord.set(word, flagStrings.get(all) as string)
  }
  return flagsOfWord
}

const plainWord = /^[A-Za-z]+$/
