import { openSemaphore } from "../../../src/base/async.ts"

/** Spreads requests over the nodes whose `/readyz` says 200, as any load balancer does. */
export interface Balancer extends Disposable {
  /**
   * One request of a client. What a node could not be reached for, did not answer in time, or answered 502, 503 or
   * 504 to, is sent to the next one: HAProxy's `retry-on all-retryable-errors` with `retries 2`.
   */
  send(path: string, init: RequestInit): Promise<Sent>
  /** Each time that it found a node there, or not there any more, and why. */
  changes: readonly { atMs: number; node: number; isUp: boolean; why: string }[]
}

export interface Sent {
  /** 503 without a body: no node was there. 504: the last one did not answer. */
  status: number
  text: string
  headers: Headers
  tries: number
}

const checkedEveryMs = 500
const checkTimeoutMs = 1500
/** For one try. */
const answerTimeoutMs = 10_000
const maxTries = 3
/** A request waits so long for a node to be there. */
const queueMs = 5000
/** Requests at one node at once, as HAProxy's `maxconn`: the others wait for their turn. */
const maxAtOnce = 100

interface Target {
  url: string
  isUp: boolean
  places: ReturnType<typeof openSemaphore>
}

export function openBalancer(urls: readonly string[]): Balancer {
  const targets: Target[] = urls.map((url) => ({ url, isUp: true, places: openSemaphore(maxAtOnce) }))
  let turn = 0

  const changes: Balancer["changes"][number][] = []

  function find(target: Target, isUp: boolean, why: string): void {
    if (target.isUp !== isUp) changes.push({ atMs: Date.now(), node: targets.indexOf(target), isUp, why })
    target.isUp = isUp
  }

  async function check(target: Target): Promise<void> {
    const signal = AbortSignal.timeout(checkTimeoutMs)
    await fetch(`${target.url}/readyz`, { signal }).then(
      async (response) => find(target, response.ok, `${response.status} ${(await response.text()).trim()}`),
      (error) => find(target, false, String(error)),
    )
  }

  function next(tried: ReadonlySet<Target>): Target | undefined {
    const up = targets.filter(({ isUp }) => isUp)
    const fresh = up.filter((target) => !tried.has(target))
    const among = fresh.length > 0 ? fresh : up
    return among[turn++ % Math.max(among.length, 1)]
  }

  async function wait(tried: ReadonlySet<Target>): Promise<Target | undefined> {
    const endsAt = performance.now() + queueMs
    for (;;) {
      const target = next(tried)
      if (target || performance.now() > endsAt) return target
      await Bun.sleep(50)
    }
  }

  async function attempt(target: Target, path: string, init: RequestInit): Promise<Omit<Sent, "tries">> {
    const signal = AbortSignal.timeout(answerTimeoutMs)
    try {
      const release = await target.places.acquire(signal)
      try {
        const response = await fetch(`${target.url}${path}`, { redirect: "manual", ...init, signal })
        return { status: response.status, text: await response.text(), headers: response.headers }
      } finally {
        release()
      }
    } catch (error) {
      // Nobody listens any more; one that is slow is for /readyz to judge.
      if (!signal.aborted) find(target, false, String(error))
      return { status: 504, text: "", headers: new Headers() }
    }
  }

  const checking = setInterval(() => targets.forEach((target) => void check(target)), checkedEveryMs)
  return {
    changes,
    async send(path, init) {
      const tried = new Set<Target>()
      for (let tries = 1; ; tries++) {
        const target = await wait(tried)
        if (!target) return { status: 503, text: "", headers: new Headers(), tries }
        tried.add(target)
        const sent = await attempt(target, path, init)
        if (![502, 503, 504].includes(sent.status) || tries === maxTries) return { ...sent, tries }
      }
    },
    [Symbol.dispose]: () => clearInterval(checking),
  }
}
