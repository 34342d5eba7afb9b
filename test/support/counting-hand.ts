import type { Hand } from "./hand.ts"

/** What somebody did. */
export interface Effort {
  /** Buttons, links, boxes, and choices of a list. */
  clicks: number
  /** Fields that were written in. */
  fields: number
  characters: number
}

export interface CountingHand extends Hand {
  /** What was done since the last call, or since the beginning. */
  take(): Effort
}

/** Does what `hand` does, and counts it. */
export function countingHand(hand: Hand): CountingHand {
  const nothing: Effort = { clicks: 0, fields: 0, characters: 0 }
  let done = { ...nothing }
  return {
    async fill(field, text) {
      await hand.fill(field, text)
      done.fields++
      done.characters += text.length
    },
    async press(wanted) {
      await hand.press(wanted)
      done.clicks++
    },
    async tick(box) {
      await hand.tick(box)
      done.clicks++
    },
    async choose(list, label) {
      await hand.choose(list, label)
      done.clicks++
    },
    take() {
      const taken = done
      done = { ...nothing }
      return taken
    },
  }
}
