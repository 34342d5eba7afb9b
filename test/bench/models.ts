/**
 * Time that our own code takes for a generative answer, not counting the fake model's time.
 *
 *   bun test/bench/models.ts [--asks 300]
 */
import { parseArgs } from "node:util"
import { type Behaviour, honest } from "../support/models/behaviour.ts"
import { providers } from "../support/models/server.ts"
import { aService } from "../support/service-builder.ts"
import { described, plenty, say } from "./figures.ts"

const { values } = parseArgs({
  options: { asks: { type: "string", default: "300" } },
})
const subjects = [
  "la signature d’un webhook",
  "le secret d’un endpoint",
  "la sauvegarde",
  "le quota",
  "le widget",
]
const question = (at: number) => `Comment vérifier ${subjects[at % subjects.length]} ${at} ?`

for (const provider of providers) {
  const spent = { ms: 0 }
  await using site = await aService().withSettings(plenty).withModel(provider, timed(honest, spent)).started()
  for (let at = 0; at < 20; at++) await site.ask({ question: question(at) })
  const took: number[] = []
  for (let at = 100; at < 100 + Number(values.asks); at++) {
    spent.ms = 0
    const askedAt = performance.now()
    const { status } = await site.ask({ question: question(at) })
    if (status !== 200) throw new Error(`status ${status}`)
    took.push(performance.now() - askedAt - spent.ms)
  }
  say(`${provider}: a written answer, less what the model itself took: ${described(took)}`)
}

/** Adds up the time that the fake model takes, so that it can be subtracted. */
function timed(behaviour: Behaviour, spent: { ms: number }): Behaviour {
  return {
    write(received) {
      const startedAt = performance.now()
      const reply = behaviour.write(received)
      spent.ms += performance.now() - startedAt
      return reply
    },
    embed(texts) {
      const startedAt = performance.now()
      const vectors = behaviour.embed(texts)
      spent.ms += performance.now() - startedAt
      return vectors
    },
  }
}
