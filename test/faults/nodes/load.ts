import { randomUUID } from "node:crypto"
import { evenly } from "../../bench/soak/evenly.ts"
import type { Sent } from "./balancer.ts"
import { type Cluster, visitorLimits } from "./cluster.ts"
import { readManual, type Site } from "./site.ts"

/** What clients asked for, and what they were told, by the clock of the machine. */
export interface Load {
  posts: Post[]
  questions: Question[]
  bursts: Burst[]
  /** Looks at a page of the console by the operator who was signed in at the start. */
  visits: Visit[]
  /** Readings that were accepted. */
  readings: number
  /** What was begun at the two rates that were asked for, without the letters and the bursts. */
  begun: { posts: number; questions: number }
}

export interface Post {
  /** `guichet_key`, which is a field of the form response too. */
  key: string
  /** Of the form response; undefined: not acknowledged. */
  id: string | undefined
  /** Whose consent is confirmed by mail. */
  email: string | undefined
  status: number
  fromMs: number
  toMs: number
}

export interface Question {
  status: number
  fromMs: number
  toMs: number
  isAnswered: boolean
  text: string
}

export interface Visit {
  status: number
  fromMs: number
  toMs: number
}

/** As many requests as a visitor may make a day, and some more, at once. */
export interface Burst {
  kind: "questions" | "posts"
  limit: number
  taken: number
  refused: number
  /** Neither: no node was there. */
  failed: number
  /** Whether a request was sent to a second node: a question then takes two places until a minute has passed. */
  hasRetried: boolean
}

interface LoadPlan {
  postsPerSecond: number
  questionsPerSecond: number
  untilMs: number
}

const lettersPerSecond = 2
const burstEveryMs = 12_000
const readEveryMs = 10_000
/** A page that was told to try later does so, with the same key. */
const postRounds = 2

/** Everything begins at an even pace until `untilMs` of `performance.now()`, however long it takes to be answered. */
export async function runLoad(cluster: Cluster, site: Site, plan: LoadPlan): Promise<Load> {
  const load: Load = {
    posts: [],
    questions: [],
    bursts: [],
    visits: [],
    readings: 0,
    begun: { posts: 0, questions: 0 },
  }
  const { untilMs } = plan
  let count = 0
  const form = () => site.forms[count++ % site.forms.length] as string
  await Promise.all([
    evenly(1000 / plan.postsPerSecond, untilMs, () => {
      load.begun.posts++
      return post(cluster, load, { form: form(), visitor: visitor() })
    }),
    evenly(1000 / plan.questionsPerSecond, untilMs, () => {
      load.begun.questions++
      return ask(cluster, site, load, visitor())
    }),
    evenly(1000 / lettersPerSecond, untilMs, () =>
      post(cluster, load, {
        form: site.newsletter,
        visitor: visitor(),
        email: `${randomUUID()}@exemple.fr`,
      }),
    ),
    evenly(1000, untilMs, () => visit(cluster, site, load)),
    evenly(burstEveryMs, untilMs, async () => {
      // Not at the start, when the pace of everything else is looked at.
      await Bun.sleep(burstEveryMs / 2)
      load.bursts.push(await questionBurst(cluster, site, load), await postBurst(cluster, site, load))
    }),
    evenly(readEveryMs, untilMs, async () => {
      cluster.manual.edition++
      await readManual(cluster, site.projectId).then(
        () => load.readings++,
        () => {},
      )
    }),
  ])
  return load
}

let visitors = 0

/** An address that nobody had before. */
function visitor(): string {
  const number = ++visitors
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
}

interface NewPost {
  form: string
  visitor: string
  email?: string
}

async function post(cluster: Cluster, load: Load, { form, visitor, email }: NewPost): Promise<Sent> {
  const key = randomUUID()
  const values = email ? { adresse: email, consent: "on" } : { message: "x".repeat(300) }
  const init = {
    method: "POST",
    headers: jsonFrom(cluster, visitor),
    body: JSON.stringify({ reference: key, guichet_key: key, ...values }),
  }
  const fromMs = Date.now()
  let sent = await cluster.balancer.send(`/f/${form}`, init)
  for (let round = 1; round < postRounds && sent.status >= 500; round++) {
    await Bun.sleep(1000)
    sent = await cluster.balancer.send(`/f/${form}`, init)
  }
  const id = sent.status === 201 ? JSON.parse(sent.text).id : undefined
  load.posts.push({ key, id, email, status: sent.status, fromMs, toMs: Date.now() })
  return sent
}

async function ask(cluster: Cluster, site: Site, load: Load, visitor: string): Promise<Sent> {
  const fromMs = Date.now()
  const question = site.questions[load.questions.length % site.questions.length]
  const sent = await cluster.balancer.send("/api/v1/ask", {
    method: "POST",
    headers: jsonFrom(cluster, visitor),
    body: JSON.stringify({ project: site.projectId, question }),
  })
  const { status, text } = sent
  const isAnswered = status === 200 && JSON.parse(text).status === "answered"
  const failure = status === 200 || status === 429 ? "" : text
  load.questions.push({ status, fromMs, toMs: Date.now(), isAnswered, text: failure })
  return sent
}

async function visit({ balancer }: Cluster, site: Site, load: Load): Promise<void> {
  const fromMs = Date.now()
  const { status } = await balancer.send("/console/projects", { headers: { cookie: site.session } })
  load.visits.push({ status, fromMs, toMs: Date.now() })
}

function questionBurst(cluster: Cluster, site: Site, load: Load): Promise<Burst> {
  const one = visitor()
  return burst("questions", visitorLimits.questions, () => ask(cluster, site, load, one))
}

function postBurst(cluster: Cluster, site: Site, load: Load): Promise<Burst> {
  const one = visitor()
  const [form = ""] = site.forms
  return burst("posts", visitorLimits.posts, () => post(cluster, load, { form, visitor: one }))
}

async function burst(kind: Burst["kind"], limit: number, send: () => Promise<Sent>): Promise<Burst> {
  const sent = await Promise.all(Array.from({ length: limit + 10 }, send))
  const taken = sent.filter(({ status }) => status === 200 || status === 201).length
  const refused = sent.filter(({ status }) => status === 429).length
  return {
    kind,
    limit,
    taken,
    refused,
    failed: sent.length - taken - refused,
    hasRetried: sent.some(({ tries }) => tries > 1),
  }
}

function jsonFrom({ manual }: Cluster, visitor: string): Record<string, string> {
  return { "content-type": "application/json", origin: manual.origin, "x-forwarded-for": visitor }
}
