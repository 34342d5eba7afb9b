import { detail, Refusal } from "../../base/errors.ts"

/** Room of one post for its body. Disposing of it gives the room back. */
export interface Room extends Disposable {
  /** Throws Refusal `unavailable` where the posts of this process, or those of one sender, have no more of it. */
  take(bytes: number): void
}

/** Largest bodies of posts with files that are in memory at once: some are read while others are stored. */
const mostMegabytes = 128

/**
 * Opens the room of one post after the other, which share what there is. `senders`: whose post it is, each with the
 * megabytes that all of theirs may take: whoever sends slowly must leave room for others.
 */
export function openRooms(): (senders: Readonly<Record<string, number>>) => Room {
  const taken = new Map<string, number>()
  return (senders) => {
    const bounds = Object.entries({ ...senders, "": mostMegabytes })
    let own = 0
    const add = (bytes: number) => {
      own += bytes
      for (const [sender] of bounds) {
        const now = (taken.get(sender) ?? 0) + bytes
        if (now > 0) taken.set(sender, now)
        else taken.delete(sender)
      }
    }
    return {
      take(bytes) {
        if (bounds.some(([sender, most]) => (taken.get(sender) ?? 0) + bytes > most * 1024 ** 2))
          throw new Refusal("unavailable", detail("forms.filesUnderWay"), { retryAfterSeconds: 60 })
        add(bytes)
      },
      [Symbol.dispose]: () => add(-own),
    }
  }
}
