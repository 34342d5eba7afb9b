import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { dayMs, minuteMs } from "../../src/base/clock.ts"
import { type Api, apiOf } from "./api.ts"
import { demo } from "./ask.ts"
import { guichet } from "./cli.ts"
import { type MovableClock, movableClock } from "./clock.ts"
import { manyPosts } from "./many-posts.ts"
import type { Answer, Receiver } from "./receiver.ts"
import type { Part, Service } from "./service.ts"
import { receivers } from "./webhooks.ts"

/**
 * An agency with four clients after a month: what `counts` says, and some of everything else that the console shows,
 * all of it made by the public faces, the clock moving on in between.
 */
export interface Agency extends Service {
  api: Api
  clock: MovableClock
  /** The first has most of everything. */
  projects: { id: string; site: string }[]
  formId: string
  /** One that works, one that fails at times, and one that is gone. */
  endpoints: { id: string }[]
  receivers: Receiver[]
}

export const counts = { pages: 110, questions: 420, formPosts: 240, days: 29 }

const clients = [
  ["Atelier Roux", "https://www.atelier-roux.fr"],
  ["Mairie de Valbonne", "https://www.valbonne.fr"],
  ["Librairie Ombres", "https://librairie-ombres.fr"],
  ["Coopérative Sève", "https://seve.coop"],
] as const

/** Every third request fails for want of a database, say. */
const flaky: Answer = (_, number) =>
  number % 3 === 0
    ? new Response("la base de données ne répond pas", { status: 503 })
    : Response.json({ recu: number })

/** For `aService().withAgency()`. */
export const agency: Part<Agency> = async (plan) => {
  plan.clock ??= movableClock()
  plan.settings = { ...manyPosts, GUICHET_ASK_PER_MINUTE: "100000", ...plan.settings }
  const { clock, dataDir } = plan
  const withReceivers = await receivers([() => Response.json({ ok: true }), flaky, () => new Response("")])(
    plan,
  )
  return async (service) => {
    const webhooks = await withReceivers(service)
    const api = await apiOf(service)
    const projects = await addProjects(api)
    const first = projects[0] as Agency["projects"][number]
    const folder = join(dataDir, "documentation")
    writePages(folder)
    // A folder can be added on the command line alone.
    const read = await guichet(["index", first.id, "--dir", folder, "--base-url", first.site, "--json"], {
      GUICHET_DATA_DIR: dataDir,
    })
    if (read.exitCode !== 0) throw new Error(read.stderr)
    const forms = await addForms(api, projects)
    const endpoints: { id: string }[] = []
    for (const receiver of webhooks.receivers) endpoints.push(await webhooks.endpoint(receiver))
    // Nobody listens there any more.
    await webhooks.receivers[2]?.[Symbol.asyncDispose]()
    await made(api, "/api/v1/endpoints", { kind: "test" })
    const work = { service, api, clock, settled: webhooks.settled }
    for (let day = 0; day < counts.days; day++) {
      await oneDay(work, day, first, forms)
      clock.move(dayMs / 2)
      await webhooks.settled()
    }
    await lookAfterAnswers(api, first)
    return {
      api,
      clock,
      projects,
      formId: forms[0]?.id ?? "",
      endpoints,
      receivers: webhooks.receivers,
    }
  }
}

async function addProjects(api: Api): Promise<Agency["projects"]> {
  const projects: Agency["projects"] = []
  for (const [name, site] of clients) {
    const { id } = await made(api, "/api/v1/projects", { name, site })
    projects.push({ id, site })
  }
  return projects
}

/** Each section of Guichet's own documentation becomes a page, up to the number wanted. */
function writePages(folder: string): void {
  mkdirSync(folder, { recursive: true })
  let written = 0
  for (const file of readdirSync(demo).filter((name) => name.endsWith(".md"))) {
    const text = readFileSync(join(demo, file), "utf8").replace(/^---\n[\s\S]*?\n---\n/, "")
    for (const section of text.split(/^## /m)) {
      if (written >= counts.pages) return
      const [title = "", ...rest] = section.replace(/^# /, "").split("\n")
      if (rest.join("").trim() === "") continue
      const name = `${file.slice(0, -3)}-${++written}.md`
      void Bun.write(join(folder, name), `# ${title}\n${rest.join("\n")}`)
    }
  }
}

interface MadeForm {
  id: string
  publicId: string
  site: string
}

async function addForms(api: Api, projects: Agency["projects"]): Promise<MadeForm[]> {
  const fields = [
    { name: "nom", label: "Votre nom", type: "text", required: true },
    { name: "email", label: "Votre adresse e-mail", type: "email", required: true },
    {
      name: "sujet",
      label: "Sujet",
      type: "select",
      options: [
        { value: "devis", label: "Un devis" },
        { value: "aide", label: "De l’aide" },
      ],
    },
    { name: "message", label: "Votre message", type: "textarea", required: true },
  ]
  const consent = { text: "J’accepte de recevoir la lettre d’information.", confirmation: false }
  const forms: MadeForm[] = []
  for (const { id, site } of [projects[0], projects[0], projects[1]].filter((one) => one !== undefined)) {
    const name = ["Contact", "Demande de devis", "Contacter la mairie"][forms.length]
    const form = await made(api, "/api/v1/forms", { project: id, name, fields, consent })
    forms.push({ id: form.id, publicId: form.public_id, site })
  }
  return forms
}

/** Questions of the evaluation set, each asked by a visitor before. */
const evaluated = 8

/** The owner reads what was asked: answers a gap, marks two, and has the answers evaluated. */
async function lookAfterAnswers(api: Api, { id }: Agency["projects"][number]): Promise<void> {
  const base = `/api/v1/projects/${id}`
  const [answered, treated, offTopic] = (await api.get(`${base}/gaps`)).body.items
  const { items: documents } = (await api.get(`${base}/documents`)).body
  await made(api, `${base}/chosen-answers`, {
    questions: [answered.question, ...answered.others.slice(0, 3)],
    answer: "Écrivez-nous\u00a0: nous répondons sous deux jours ouvrés.[^1]",
    sources: [documents[0].url],
  })
  for (const [gap, state] of [
    [answered, "treated"],
    [treated, "treated"],
    [offTopic, "off_topic"],
  ])
    await api.patch(`${base}/gaps/${gap.id}`, { state })
  const { items } = (await api.get(`${base}/answers?status=answered&limit=100`)).body
  const pages = new Map<string, string>(
    items.flatMap(({ question, sources: [source] }: { question: string; sources: { url: string }[] }) =>
      source ? [[question, source.url]] : [],
    ),
  )
  for (const [question, page] of [...pages].slice(0, evaluated))
    await made(api, `${base}/evaluation-questions`, { question, page })
  const text = "ouvert le dimanche"
  await made(api, `${base}/evaluation-questions`, { question: answered.question, text })
  const run = await made(api, `${base}/evaluation-runs`, undefined, 202)
  const isOver = async () => (await api.get(`${base}/evaluation-runs/${run.id}`)).body.ended_at !== null
  while (!(await isOver())) await Bun.sleep(10)
}

/** The thing that was made. */
async function made(api: Api, path: string, wanted: object | undefined, status = 201) {
  const reply = await api.post(path, wanted)
  if (reply.status !== status) throw new Error(`${path}: ${JSON.stringify(reply.body)}`)
  return reply.body
}

interface Work {
  service: Service
  api: Api
  clock: MovableClock
  settled(): Promise<void>
}

const questions = readFileSync(join(import.meta.dir, "../../data/eval/demo.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => (JSON.parse(line) as { question: string }).question)

const people = ["Camille Roux", "Dominique Petit", "Sacha Blanc", "Alix Moreau", "Charlie Garnier"]
const wishes = [
  "Bonjour,\nje souhaite un devis pour deux étagères en chêne.",
  "Mon colis n’est pas arrivé, pouvez-vous m’aider ?",
  "À quelle heure ouvrez-vous le samedi ?",
  "Merci pour votre accueil, tout était parfait.",
]

/** Half a day of visitors; the other half is night. */
async function oneDay(
  { service, clock, settled }: Work,
  day: number,
  project: Agency["projects"][number],
  forms: readonly MadeForm[],
): Promise<void> {
  const shareOf = (whole: number) =>
    Math.floor((whole * (day + 1)) / counts.days) - Math.floor((whole * day) / counts.days)
  const asked = shareOf(counts.questions)
  const posted = shareOf(counts.formPosts)
  const step = Math.floor(dayMs / 2 / (asked + posted + 1))
  let previous: string[] = []
  for (let place = 0; place < asked; place++) {
    clock.move(step)
    const question = questions[(day * 5 + place * place * 3) % questions.length] as string
    const answer = await post(service, "/api/v1/ask", project.site, {
      project: project.id,
      question,
      page: `/${["", "tarifs", "aide", "contact"][place % 4]}`,
      previous,
    })
    previous = place % 3 === 0 ? [answer["id"] as string] : []
    if (place % 4 === 1)
      await post(service, `/api/v1/answers/${answer["id"]}/feedback`, project.site, {
        useful: place % 8 === 1,
      })
  }
  for (let place = 0; place < posted; place++) {
    clock.move(step)
    const form = forms[place % 5 === 4 ? 2 : place % 3 === 2 ? 1 : 0] as MadeForm
    const name = people[(day + place) % people.length] as string
    await post(service, `/f/${form.publicId}`, form.site, {
      nom: name,
      email: `${name.toLowerCase().replace(" ", ".")}@exemple.fr`,
      sujet: place % 2 === 0 ? "devis" : "aide",
      message: `${wishes[(day * 3 + place) % wishes.length]} (${day + 1}/${place + 1})`,
      ...(place % 2 === 0 && { consent: "oui" }),
      page: `${form.site}/contact`,
    })
    await settled()
    clock.move(minuteMs)
  }
}

async function post(
  service: Service,
  path: string,
  origin: string,
  body: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", origin },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>)
}
