import { detail, Refusal } from "../../base/errors.ts"

/** Room of one post for its body. Disposing of it gives the room back. */
export interface Room extends Disposable {
  /**
   * Takes room for what has arrived. Where the posts of this process, or those of one sender, have no more of it, the
   * slowest of them gives way, if it arrives at less than half the speed of this one. Throws Refusal `unavailable`
   * where none does.
   */
  take(bytes: number): void
  /** The body has arrived, and gives way to no other any more. */
  keep(): void
  /** Aborted with that Refusal when this post has to give way. */
  signal: AbortSignal
}

/** Largest bodies of posts with files that are in memory at once: some are read while others are stored. */
const mostMegabytes = 128

/** A post without files may have as many, and takes no room: by then it shows how fast a body arrives. */
const freeBytes = 1024 ** 2

/**
 * Opens the room of one post after the other, which share what there is. `senders`: whose post it is, each with the
 * megabytes that all of their posts together may take, so that room is left for others.
 */
export function openRooms(
  nowMs: () => number = () => performance.now(),
): (senders: Readonly<Record<string, number>>) => Room {
  const taken = new Map<string, number>()
  const arriving = new Set<Arriving>()
  return (senders) => {
    const bounds = Object.entries({ ...senders, "": mostMegabytes })
    const gaveWay = new AbortController()
    let [received, own] = [0, 0]
    const add = (bytes: number) => {
      own += bytes
      for (const [sender] of bounds) {
        const now = (taken.get(sender) ?? 0) + bytes
        if (now > 0) taken.set(sender, now)
        else taken.delete(sender)
      }
    }
    const leave = () => {
      arriving.delete(post)
      add(-own)
    }
    const post: Arriving = {
      senders: bounds.map(([sender]) => sender),
      ...measureSpeed(nowMs),
      holdsRoom: () => own > 0,
      giveWay() {
        leave()
        gaveWay.abort(filesUnderWay())
      },
    }
    arriving.add(post)
    return {
      take(bytes) {
        gaveWay.signal.throwIfAborted()
        post.arrived(bytes)
        received += bytes
        const more = Math.max(received - freeBytes, 0) - own
        for (const [sender, most] of bounds)
          while ((taken.get(sender) ?? 0) + more > most * 1024 ** 2) slowerThan(post, sender).giveWay()
        add(more)
      },
      keep: () => arriving.delete(post),
      signal: gaveWay.signal,
      [Symbol.dispose]: leave,
    }
  }

  /** The slowest post of that sender that has to give way. Throws Refusal `unavailable` where none has to. */
  function slowerThan(post: Arriving, sender: string): Arriving {
    const mostSpeed = post.speed() / 2
    const slower = [...arriving].filter(
      (other) =>
        other.senders.includes(sender) && other !== post && other.holdsRoom() && other.speed() < mostSpeed,
    )
    if (slower.length === 0) throw filesUnderWay()
    return slower.reduce((one, other) => (other.speed() < one.speed() ? other : one))
  }
}

/** A post whose body has not arrived yet. */
interface Arriving extends Speed {
  senders: readonly string[]
  /** False for one that would give way in vain. */
  holdsRoom(): boolean
  giveWay(): void
}

interface Speed {
  arrived(bytes: number): void
  /** Bytes in a time that is the same for all: of the last seconds, whatever came before. */
  speed(): number
}

/** Time after which bytes that arrived count half as much. */
const halfLifeMs = 2000

function measureSpeed(nowMs: () => number): Speed {
  const startMs = nowMs()
  let [recent, lastMs] = [0, startMs]
  const weightSince = (ms: number) => 2 ** ((ms - nowMs()) / halfLifeMs)
  return {
    arrived(bytes) {
      recent = recent * weightSince(lastMs) + bytes
      lastMs = nowMs()
    },
    speed: () => (recent * weightSince(lastMs)) / (1 - weightSince(startMs)),
  }
}

function filesUnderWay(): Refusal {
  return new Refusal("unavailable", detail("forms.filesUnderWay"), { retryAfterSeconds: 60 })
}
