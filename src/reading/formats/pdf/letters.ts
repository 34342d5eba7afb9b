import type { Run } from "./lines.ts"

/** A letter as it stands on its page, in points; `x` along its line, `y` its baseline. */
export interface Letter {
  text: string
  x: number
  y: number
  width: number
  size: number
  font: string
}

interface OpenRun {
  letters: string[]
  /** Its widest space that is not drawn as one. */
  widest: number
  drawnSpaces: number
  /** Space before each letter that is not drawn as one, in sizes of letters. */
  gaps: number[]
  x: number
  y: number
  size: number
  font: string
  /** Where its last letter ends, and its last letter or space. */
  inkEnd: number
  end: number
  lastWidth: number
}

/** Runs end at a wider space: it may separate two cells. In sizes of letters, as all here. */
const runGap = 0.4
/** So may a narrower one that is not drawn, where words have drawn spaces between them. */
const bareGap = 0.2
/** A narrower space is none, unless letters stand apart. */
const wordGap = 0.102
/** Letters of spaced words stand at least so far apart. */
const leastTracking = 0.05
/** Letters that overlap by more begin anew. */
const overlap = 0.2
/** Change of the baseline within a run. */
const shift = 0.25

/** Puts letters together to runs, in the order in which they are drawn. */
export function runBuilder(): { add(letter: Letter): void; end(): Run[] } {
  const runs: Run[] = []
  let run: OpenRun | undefined
  let spaced = false
  let hasMarks = false
  const total = { drawn: 0, white: 0 }
  /** TeX's fonts without accented letters draw the accent first, and the letter below it. */
  let accent: Letter | undefined
  return {
    add(letter) {
      const waiting = accent
      accent = undefined
      if (waiting) {
        const joined = isOver(waiting, letter) ? composed(letter.text, waiting.text) : undefined
        if (joined !== undefined) {
          put({ ...letter, text: joined })
          return
        }
        put(waiting)
      }
      if (!(letter.text in combining)) put(letter)
      else if (!joinBefore(letter)) accent = letter
    },
    end() {
      if (accent) put(accent)
      close()
      return runs
    },
  }

  function put({ text, x, y, width, size, font }: Letter): void {
    if (text === " " || /^\s*$/.test(text)) {
      spaced = true
      if (run && isOnLine(run, y, size)) run.end = Math.max(run.end, x + width)
      return
    }
    if (run && text > "\u02ff" && /^\p{M}$/u.test(text)) {
      run.letters[run.letters.length - 1] += text
      hasMarks = true
      return
    }
    const gap = run ? (x - run.end) / size : 0
    if (run && (run.font !== font || !isOnLine(run, y, size) || gap < -overlap || isWide(run, x, gap, total)))
      close()
    if (!run) {
      const before = spaced ? [" "] : []
      run = {
        letters: [...before, text],
        gaps: [...before.map(() => 0), 0],
        widest: 0,
        drawnSpaces: 0,
        x,
        y,
        size,
        font,
        inkEnd: 0,
        end: 0,
        lastWidth: width,
      }
    } else {
      if (spaced) {
        add(" ", 0)
        run.drawnSpaces++
      }
      add(text, gap)
    }
    run.inkEnd = x + width
    run.end = run.inkEnd
    run.lastWidth = width
    spaced = false
  }

  function add(text: string, gap: number): void {
    if (!run) return
    run.letters.push(text)
    run.gaps.push(gap)
    if (gap > run.widest) run.widest = gap
  }

  /** An accent that is drawn after its letter, as cedillas are. */
  function joinBefore({ text, x, y, width, size }: Letter): boolean {
    const last = run?.letters.at(-1)
    if (!run || last === undefined || spaced || Math.abs(run.y - y) > size / 2) return false
    const middle = x + width / 2
    if (middle > run.inkEnd || middle < run.inkEnd - run.lastWidth) return false
    const joined = composed(last, text)
    if (joined === undefined) return false
    run.letters[run.letters.length - 1] = joined
    return true
  }

  function close(): void {
    if (!run) return
    const { letters, gaps, widest, drawnSpaces: drawn, x, y, size, font, inkEnd } = run
    const words = widest > wordGap ? withSpaces(letters, gaps) : letters.join("")
    const text = (hasMarks ? words.normalize("NFC") : words) + (spaced ? " " : "")
    const before = runs.at(-1)
    // Some makers draw letters twice to make them bold.
    const isTwice =
      before &&
      Math.abs(before.x - x) < size / 5 &&
      Math.abs(before.y - y) < size / 5 &&
      before.text.trim() === text.trim()
    const white = widest > wordGap ? words.length - letters.length : 0
    total.drawn += drawn
    total.white += white
    if (!isTwice) runs.push({ text, x, y, width: inkEnd - x, size, font, spaces: { drawn, white } })
    run = undefined
    spaced = false
    hasMarks = false
  }
}

function isOnLine(run: OpenRun, y: number, size: number): boolean {
  return Math.abs(run.y - y) <= shift * size && Math.abs(run.size - size) <= 0.02 * size
}

/** Whether the space before a letter is wider than between words, which in spaced letters is wide itself. */
function isWide(run: OpenRun, x: number, gap: number, total: { drawn: number; white: number }): boolean {
  const last = run.gaps.at(-1) ?? 0
  const tracking = last >= leastTracking && last < runGap * 2 ? last : 0
  const isSpace = run.end > run.inkEnd
  if (isSpace) return (x - run.inkEnd) / run.size - tracking > runGap + tracking * 1.5
  const drawsSpaces = run.letters.length > 2 && total.drawn + run.drawnSpaces > 3 * (total.white + 1)
  return gap > (drawsSpaces && tracking === 0 ? bareGap : runGap) + tracking * 1.5
}

/** Where all letters stand apart by as much, wider spaces alone separate words. */
function withSpaces(letters: readonly string[], gaps: readonly number[]): string {
  const tracking = trackingOf(letters, gaps)
  const least = tracking + (tracking > 0 ? Math.max(wordGap, tracking / 2) : wordGap)
  let text = ""
  for (const [at, letter] of letters.entries()) {
    const isWord = at > 0 && letter !== " " && !text.endsWith(" ") && (gaps[at] as number) > least
    text += (isWord ? " " : "") + letter
  }
  return text
}

/** The usual space between letters of a run: 0 unless words were spaced out on purpose. */
function trackingOf(letters: readonly string[], gaps: readonly number[]): number {
  const between: number[] = []
  for (let at = 1; at < letters.length; at++)
    if (letters[at] !== " " && letters[at - 1] !== " ") between.push(gaps[at] as number)
  if (between.length < 3) return 0
  const sorted = between.toSorted((one, other) => one - other)
  const [least, usual] = [sorted[0] as number, sorted[sorted.length >> 1] as number]
  // Single letters or digits beside each other are words of their own: nothing stands closer or wider.
  const hasWords = letters.includes(" ") || (sorted.at(-1) as number) > usual + wordGap || letters.length > 5
  const areLetters = letters.every((letter) => !/^\d/.test(letter))
  return usual >= leastTracking && least >= usual / 3 && hasWords && (areLetters || letters.includes(" "))
    ? usual
    : 0
}

const combining: Readonly<Record<string, string>> = {
  "`": "\u0300",
  "^": "\u0302",
  "~": "\u0303",
  "\u00b4": "\u0301",
  "\u02c6": "\u0302",
  "\u02dc": "\u0303",
  "\u00a8": "\u0308",
  "\u02da": "\u030a",
  "\u02c7": "\u030c",
  "\u00b8": "\u0327",
  "\u02db": "\u0328",
}

function composed(letter: string, accent: string): string | undefined {
  const base = letter === "\u0131" ? "i" : letter === "\u0237" ? "j" : letter
  if (!/^\p{L}$/u.test(base)) return undefined
  const whole = `${base}${combining[accent]}`.normalize("NFC")
  return whole.length === 1 ? whole : undefined
}

function isOver(accent: Letter, letter: Letter): boolean {
  const middle = accent.x + accent.width / 2
  return (
    middle > letter.x - letter.size * 0.1 &&
    middle < letter.x + letter.width + letter.size * 0.1 &&
    letter.x < accent.x + accent.width &&
    Math.abs(accent.y - letter.y) < letter.size / 2
  )
}
