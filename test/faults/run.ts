/**
 * `bun test/faults/run.ts [--kills 200] [--only kill,disk,…]`: what can go wrong on a machine is done to a running service, and what came
 * of it is held against a number each. Prints the table; exit 1 when a mark is missed. Some ten minutes, and as many again for `costs` and for
 * `shapes`; what needs to mount a disk is skipped without root.
 */
import { parseArgs } from "node:util"
import { atLeast, exactly, judge, type Verdict } from "../support/verdict.ts"
import { clockJumps } from "./clock.ts"
import { costsOfPublicRoutes } from "./costs/costs.ts"
import { crowdsOfLongQuestions } from "./crowds.ts"
import { corrupted, diskFull, diskNearlyFull, readOnly, restartOnFullDisk } from "./disk.ts"
import { floodsOfPosts } from "./floods.ts"
import { forgedAddresses } from "./forged.ts"
import { indexDeleted } from "./index-deleted.ts"
import { type Verdict as Killed, killAt, killRepeatedly } from "./kill.ts"
import { lockedDatabase } from "./locked.ts"
import { moments } from "./moments.ts"
import { turnsReadOnly } from "./read-only.ts"
import { hostileReadings } from "./readings.ts"
import { schemathesis } from "./schemathesis.ts"
import { hostileTexts } from "./shapes.ts"
import { slowClients } from "./slow-clients.ts"
import { storedRows } from "./stored-rows.ts"
import { storedWork } from "./stored-work.ts"
import { suite, suites } from "./suites.ts"

const { values } = parseArgs({
  options: { kills: { type: "string", default: "200" }, only: { type: "string" } },
})
const timesEach = 5

const trials: { name: string; run(): Promise<Verdict[]> }[] = [
  { name: "moments", run: killsAtMoments },
  { name: "disk", run: async () => [...(await diskFull()), ...(await restartOnFullDisk())] },
  { name: "nearly full", run: diskNearlyFull },
  { name: "floods", run: floodsOfPosts },
  { name: "read-only", run: async () => [...(await readOnly()), ...(await turnsReadOnly())] },
  { name: "corrupted", run: corrupted },
  { name: "clock", run: clockJumps },
  { name: "locked", run: lockedDatabase },
  { name: "index", run: indexDeleted },
  { name: "slow", run: slowClients },
  { name: "stored", run: storedWork },
  { name: "crowds", run: crowdsOfLongQuestions },
  { name: "rows", run: storedRows },
  { name: "readings", run: hostileReadings },
  { name: "forged", run: forgedAddresses },
  { name: "costs", run: () => costsOfPublicRoutes() },
  { name: "shapes", run: hostileTexts },
  { name: "schemathesis", run: () => schemathesis() },
  ...Object.entries(suites).map(([name, files]) => ({ name, run: () => suite(name, files) })),
  {
    name: "kill",
    run: async () => killed("kill -9 at random", await killRepeatedly(Number(values.kills))),
  },
]
const only = values.only?.split(",")
process.exitCode = (await judge(trials.filter(({ name }) => !only || only.includes(name)))) ? 0 : 1

async function killsAtMoments(): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const [name, moment] of Object.entries(moments))
    verdicts.push(...killed(`kill -9 ${name}`, await killAt(Array(timesEach).fill(moment))))
  return verdicts
}

function killed(name: string, verdict: Killed): Verdict[] {
  const { kills, acknowledged, responsesLost, deliveriesLost, undelivered, duplicatesThatDiffer } = verdict
  const lost = responsesLost + deliveriesLost + undelivered
  return [
    atLeast(`${name}, ${kills} times: responses acknowledged`, kills === timesEach ? 0 : kills, acknowledged),
    exactly(`${name}: responses or deliveries lost`, 0, lost),
    exactly(`${name}: duplicates of another webhook-id or other bytes`, 0, duplicatesThatDiffer),
    exactly(`${name}: damaged databases`, 0, verdict.integrity.filter((said) => said !== "ok").length),
  ]
}
