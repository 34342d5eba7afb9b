import type { Balancer } from "./balancer.ts"
import { clockTime } from "./history.ts"
import type { Load } from "./load.ts"

/** A line for each second: how many posts and questions that began in it went well, and how long they took. */
export function timelineOf(load: Load, changes: Balancer["changes"]): string {
  const secondOf = ({ fromMs }: { fromMs: number }) => Math.floor(fromMs / 1000)
  const posts = Map.groupBy(load.posts, secondOf)
  const questions = Map.groupBy(load.questions, secondOf)
  const events = Map.groupBy(changes, ({ atMs }) => Math.floor(atMs / 1000))
  const seconds = [...new Set([...posts.keys(), ...questions.keys(), ...events.keys()])].sort()
  return seconds
    .map((second) => {
      const found = (events.get(second) ?? []).map(
        ({ node, isUp, why }) => `node ${node} ${isUp ? "is there" : `is gone: ${why}`}`,
      )
      const told = [
        `posts ${summary(posts.get(second))}`,
        `questions ${summary(questions.get(second))}`,
        ...found,
      ]
      return `${clockTime(second * 1000).slice(0, 8)} ${told.join(" · ")}\n`
    })
    .join("")
}

type Request = { status: number; fromMs: number; toMs: number }

function summary(requests: readonly Request[] = []): string {
  const tookMs = requests.map(({ fromMs, toMs }) => toMs - fromMs).sort((one, other) => one - other)
  const failed = requests.filter(({ status }) => status >= 500).length
  const median = tookMs[Math.floor(tookMs.length / 2)] ?? 0
  return `${requests.length - failed}/${requests.length}, median ${median} ms, longest ${tookMs.at(-1) ?? 0} ms`
}
