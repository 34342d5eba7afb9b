import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { randomText } from "../../src/base/ids.ts"
import { chosenLimits } from "../../src/owners/chosen/chosen-answer.ts"
import { type Api, apiOf } from "../support/api.ts"
import { demo, indexFolder, origin } from "../support/ask.ts"
import { longestTurnMs } from "../support/processor.ts"
import { aService } from "../support/service-builder.ts"
import { atMost, exactly, type Verdict } from "../support/verdict.ts"
import { unlimited } from "./served-site.ts"

/** The longest that questions of a crowd may keep the event loop from everybody else. */
const markMs = 100
const atOnce = 20
const maxLength = 1000

/** The longest questions, twenty at once: a visitor's, an owner's trials, and messages about to be sent. */
export async function crowdsOfLongQuestions(): Promise<Verdict[]> {
  return [...(await crowdsWith("none")), ...(await crowdsWith("local"))]
}

async function crowdsWith(embedding: "none" | "local"): Promise<Verdict[]> {
  await using site = await aService()
    .withSettings({ ...unlimited, GUICHET_LOG_LEVEL: "error", GUICHET_EMBEDDING: embedding })
    .withIndexedProject()
    .started()
  const { app } = site.service
  const api = await apiOf(site.service)
  if (embedding === "local") await indexFolder(app, site.project, demo)
  else await chooseAnswers(api, site.project.id)
  const asks: Record<string, (question: string) => Promise<{ status: number }>> = {
    questions: (question) => site.ask({ question }),
    trials: (question) => api.post(`/api/v1/projects/${site.project.id}/trials`, { question }),
  }
  const verdicts: Verdict[] = []
  for (const [kind, words] of Object.entries(kindsOfWords()))
    for (const [who, ask] of Object.entries(asks)) {
      let statuses: number[] = []
      const longestMs = await longestTurnMs(async () => {
        const replies = await Promise.all(Array.from({ length: atOnce }, () => ask(longest(words))))
        statuses = replies.map(({ status }) => status)
      })
      const name = `${atOnce} ${who} of ${maxLength} characters at once, ${kind}, embedding ${embedding}`
      verdicts.push(atMost(name, markMs, longestMs, " ms CPU"))
      verdicts.push(exactly(`${name}: answered`, atOnce, statuses.filter((status) => status === 200).length))
    }
  return verdicts
}

/** As many answers as an owner may write himself, each for as many of the longest questions as it may be. */
async function chooseAnswers(api: Api, projectId: string): Promise<void> {
  const word = kindsOfWords()["words of the documentation"] as () => string
  for (let count = 0; count < chosenLimits.answers; count++) {
    const questions = Array.from({ length: chosenLimits.questions }, () => longest(word))
    const made = await api.post(`/api/v1/projects/${projectId}/chosen-answers`, {
      questions,
      answer: "Trente jours.",
      sources: [`${origin}/consentement`],
    })
    if (made.status !== 201) throw new Error(`${made.status}`)
  }
}

/** The first crowd of each kind finds nothing of its passages analysed yet. */
function kindsOfWords(): Record<string, () => string> {
  const written = readdirSync(demo)
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(join(demo, name), "utf8"))
  const known = [...new Set(written.join("\n").match(/\p{L}{3,}/gu))]
  const one = () => known[Math.floor(Math.random() * known.length)] as string
  return {
    "words of the documentation": one,
    "misspelt words": () => one().replace(/(?<=..)./u, randomText(1, "qxwz")),
    "words of nothing": () => randomText(7, "abcdefghijklmnopqrstuvwxyz"),
    "short words": () => randomText(2, "abcdefghijklmnopqrstuvwxyz"),
  }
}

function longest(word: () => string): string {
  let question = word()
  for (let next = word(); question.length + next.length < maxLength; next = word()) question += ` ${next}`
  return question.padEnd(maxLength, "x")
}
