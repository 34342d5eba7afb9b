import { readFileSync } from "node:fs"
import { join } from "node:path"
import { consoleClient, password } from "../../support/operator.ts"
import { eventually } from "../../support/processes.ts"
import type { Service } from "../../support/service.ts"
import { busyHosts, type Cluster, hangingHost, operator } from "./cluster.ts"
import { editionQuestion } from "./manual.ts"

/** What the cluster holds before anything happens to it: a project with its documentation, its forms and endpoints. */
export interface Site {
  projectId: string
  /** Public ids of the forms that most posts go to. */
  forms: string[]
  /** Of the form whose consent is confirmed by mail. */
  newsletter: string
  questions: string[]
  /** Cookie of an operator who is signed in. */
  session: string
}

const questions = join(import.meta.dir, "../../../data/eval/demo.jsonl")
/** Each has two endpoints. */
const formCount = busyHosts.length / 2

export async function prepareSite(cluster: Cluster): Promise<Site> {
  const { nodes, manual } = cluster
  const [node] = nodes
  const project = await call(cluster, "/api/v1/projects", { name: "Manuel", site: manual.origin })
  manual.readFor(project.id)
  await call(cluster, `/api/v1/projects/${project.id}/feeds`, { kind: "sitemap", address: manual.sitemap })
  await readManual(cluster, project.id)
  const forms: string[] = []
  for (let index = 0; index < formCount; index++) {
    const fields = [
      { name: "reference", label: "Référence", type: "text" },
      { name: "message", label: "Votre message", type: "textarea" },
    ]
    const form = await call(cluster, "/api/v1/forms", {
      project: project.id,
      name: `Contact ${index}`,
      fields,
    })
    forms.push(form.public_id)
    for (const host of busyHosts.slice(2 * index, 2 * index + 2))
      await call(cluster, "/api/v1/endpoints", { url: `https://${host}/in`, forms: [form.id] })
  }
  const newsletter = await call(cluster, "/api/v1/forms", {
    project: project.id,
    name: "Lettre",
    fields: [
      { name: "reference", label: "Référence", type: "text" },
      { name: "adresse", label: "Votre adresse", type: "email" },
    ],
    consent: { text: "J’accepte de recevoir la lettre.", confirmation: true },
  })
  await call(cluster, "/api/v1/endpoints", { url: `https://${hangingHost}/in`, forms: [newsletter.id] })
  await eventually(async () => {
    const { indexed_at } = await call(cluster, `/api/v1/projects/${project.id}`)
    return indexed_at
  })
  const client = consoleClient({ url: node?.url } as Service)
  const { status } = await client.post("/console/sign-in", { email: operator, password }, { token: null })
  if (status !== 303) throw new Error(`cannot sign in: ${status}`)
  return {
    projectId: project.id,
    forms,
    newsletter: newsletter.public_id,
    questions: readFileSync(questions, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ answerable }) => answerable)
      .map(({ question }) => question),
    session: client.cookie,
  }
}

/** Asks for a reading of the documentation. */
export async function readManual(cluster: Cluster, projectId: string): Promise<void> {
  await call(cluster, `/api/v1/projects/${projectId}/index-runs`, {})
}

/** Reads one more edition, and counts the nodes that answer from it soon after. */
export async function nodesUpToDate(cluster: Cluster, projectId: string): Promise<number> {
  const { manual, nodes } = cluster
  manual.edition++
  await readManual(cluster, projectId)
  const answers = nodes.map(({ url }, node) =>
    eventually(async () => {
      const reply = await fetch(`${url}/api/v1/ask`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          origin: manual.origin,
          "x-forwarded-for": `172.16.${manual.edition % 256}.${node}`,
        },
        body: JSON.stringify({ project: projectId, question: editionQuestion }),
      })
      if ((await reply.text()).includes(`abricot${manual.edition}.`)) return true
      await Bun.sleep(2000)
      return false
    }, readWithinMs).then(
      () => 1,
      () => 0,
    ),
  )
  return (await Promise.all(answers)).reduce((sum: number, one) => sum + one, 0)
}

/** Fewer questions than a visitor has in a day. */
const readWithinMs = 30_000

/** Calls the management API through the balancer. */
// biome-ignore lint/suspicious/noExplicitAny: what came over HTTP has whatever shape the caller knows
export async function call({ balancer, token }: Cluster, path: string, body?: object): Promise<any> {
  const { status, text } = await balancer.send(path, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`)
  return JSON.parse(text)
}
