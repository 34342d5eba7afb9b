/**
 * `bun test/bench/crowd.ts [--crowd 1000] [--waves 5]` (Linux): waves of questions of one project asked at once, whose
 * answers are extracted, then before a model that stalls: what they cost in memory, and what they cost another project of the
 * service meanwhile, whose answers are extracted.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { origin } from "../support/ask.ts"
import { honest } from "../support/models/behaviour.ts"
import { startModelServer } from "../support/models/server.ts"
import type { Crowd, Told as Replies } from "./crowd/client.ts"
import type { Ready, Told } from "./crowd/service.ts"
import { described, say } from "./figures.ts"

const { values } = parseArgs({
  options: { crowd: { type: "string", default: "1000" }, waves: { type: "string", default: "5" } },
})
const subjects = [
  "la signature d’un webhook",
  "le secret d’un endpoint",
  "la sauvegarde",
  "le quota",
  "le widget",
]
let asked = 0
const question = () => `Comment vérifier ${subjects[asked++ % subjects.length]} ${asked} ?`

await using model = startModelServer("openai", { ...honest, write: () => ({ silent: true }) })
for (const crowded of ["extractive", "written"] as const) {
  await using service = await start(model.environment)
  const { beside: project, url } = service.ready
  const askOne = async (): Promise<number> => {
    const startedAt = performance.now()
    const { status } = await fetch(`${url}/api/v1/ask`, {
      method: "POST",
      headers: { "content-type": "application/json", origin },
      body: JSON.stringify({ project, question: question() }),
    })
    if (status !== 200) throw new Error(`status ${status}`)
    return performance.now() - startedAt
  }
  const alone: number[] = []
  for (let at = 0; at < 300; at++) alone.push(await askOne())
  await service.tell("free")
  say(`${crowded}: at rest ${service.memory()} MB; another project alone ${described(alone)}`)
  for (let wave = 1; wave <= Number(values.waves); wave++) {
    let isOver = false
    const crowd = askAtOnce(service.ready, service.ready[crowded]).finally(() => {
      isOver = true
    })
    const beside: number[] = []
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, service.memory())
    }, 10)
    while (!isOver) {
      beside.push(await askOne())
      await Bun.sleep(20)
    }
    const replies = await crowd
    clearInterval(watch)
    await service.tell("free")
    const statuses = [...Map.groupBy(replies, ([status]) => status)]
    const told = statuses.map(([status, some]) => `${some.length} × ${status}`).join(", ")
    say(
      `  wave ${wave}: ${told}, ${described(replies.map(([, ms]) => ms))}; ${most} MB at most, ${service.memory()} MB after; the other project meanwhile ${described(beside)}`,
    )
    await service.tell("later")
    // What was asked of the model is this process's, and would grow.
    model.requests.length = 0
    model.embedded.length = 0
  }
}

async function start(environment: Record<string, string>) {
  let heard: (told: unknown) => void = () => {}
  const next = <Heard>() =>
    new Promise<Heard>((resolve) => {
      heard = resolve as typeof heard
    })
  const ready = next<Ready>()
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "crowd/service.ts")], {
    ipc: (told) => heard(told),
    env: { ...process.env, ...environment },
    stdout: "ignore",
    stderr: "ignore",
  })
  return {
    ready: await ready,
    async tell(told: Told) {
      const done = next<Told>()
      child.send(told)
      await done
    },
    /** Resident, in MB. */
    memory() {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8")
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000)
    },
    async [Symbol.asyncDispose]() {
      child.disconnect()
      await child.exited
    },
  }
}

async function askAtOnce({ url }: Ready, project: string): Promise<Replies> {
  const crowd: Crowd = {
    url,
    origin,
    project,
    questions: Array.from({ length: Number(values.crowd) }, question),
  }
  const client = Bun.spawn([process.execPath, join(import.meta.dir, "crowd/client.ts")], {
    stdin: new TextEncoder().encode(JSON.stringify(crowd)),
    env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: "5000" },
  })
  return (await new Response(client.stdout).json()) as Replies
}
