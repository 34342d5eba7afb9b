import { detail, Refusal } from "../../base/errors.ts"

/** Room of one post for its body. Disposing of it gives the room back. */
export interface Room extends Disposable {
  /** Throws Refusal `unavailable` where the posts of this process have no more of it together. */
  take(bytes: number): void
}

/** Largest bodies of posts with files that are in memory at once: some are read while others are stored. */
const mostBytes = 128 * 1024 ** 2

/** Opens the room of one post after the other, which share what there is. */
export function openRooms(): () => Room {
  let taken = 0
  return () => {
    let own = 0
    return {
      take(bytes) {
        if (taken + bytes > mostBytes)
          throw new Refusal("unavailable", detail("forms.filesUnderWay"), { retryAfterSeconds: 60 })
        taken += bytes
        own += bytes
      },
      [Symbol.dispose]() {
        taken -= own
        own = 0
      },
    }
  }
}
