import { idsOf } from "../../base/ids.ts"
import { countHeld } from "../../forms/responses/count.ts"
import { troublesOf } from "../../indexing/indexing-run.ts"
import { runQuickChecks } from "../../ops/checks/checks.ts"
import { answersInDoubt } from "../../ops/checks/data.ts"
import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { failingEndpoints } from "../../webhooks/endpoints/failing.ts"
import { type EndpointHealth, maxCountedBy, readHealth } from "../../webhooks/endpoints/health.ts"
import { endpointName } from "../../wording/endpoint-name.fr.ts"
import { userMessage } from "../../wording/user-message.ts"
import { answerInWords } from "../../wording/webhooks.fr.ts"
import type { Mood } from "../kit/components.tsx"
import { Section } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import type { PageContext } from "../kit/page-context.ts"
import { failingDeliveries } from "../webhooks/delivery-search.ts"
import { upTo } from "../webhooks/health.tsx"
import { ownApplications } from "./project-parts.ts"
import { words } from "./words.fr.ts"

export interface Concern {
  mood: Extract<Mood, "bad" | "warn">
  project?: { id: string; name: string }
  text: string
  href: string
  link: string
}

/** Whatever is wrong or in doubt in these projects and at these endpoints, the worst first. */
export async function listConcerns(
  { db }: Pick<ConsoleDeps, "db">,
  { workspaceId, nowMs, may }: Pick<PageContext, "workspaceId" | "nowMs" | "may">,
  projects: readonly { id: string; name: string; assistantEnabled: boolean }[],
  endpoints: readonly Endpoint[],
): Promise<Concern[]> {
  const projectIds = idsOf(projects)
  const [troubles, held, doubts, ofEndpoints] = await Promise.all([
    troublesOf(db, projectIds),
    countHeld(db, projectIds),
    answersInDoubt(db, workspaceId),
    endpointConcerns(db, endpoints, nowMs, may("editor") ? words.replay : words.seeEndpoint),
  ])
  const ofProjects: Concern[] = []
  for (const { id, name, assistantEnabled } of projects) {
    const add = (mood: Concern["mood"], text: string, page: string, link: string) =>
      ofProjects.push({ mood, project: { id, name }, text, href: `/console/projects/${id}${page}`, link })
    const count = held.get(id) ?? 0
    const setAside = doubts.setAside.get(id) ?? 0
    const lost = doubts.fallen.get(id) ?? 0
    const trouble = troubles.get(id)
    if (trouble?.isPartial) add("warn", userMessage(trouble.told), "/indexing", words.seeReading)
    else if (trouble) add("bad", words.readingFailed, "/indexing", words.seeReading)
    if (count > 0) add("warn", words.held(count), "/messages?state=held", words.seeHeld)
    if (setAside > 0) add("warn", words.setAside(setAside), "/questions/chosen", words.seeChosen)
    if (lost > 0) add("warn", words.fell(lost), "/questions/evaluation", words.seeEvaluation)
    if (!assistantEnabled) add("warn", words.assistantOff, "/settings", words.seeSettings)
  }
  return [...ofEndpoints, ...ofProjects].sort((one, other) => (one.mood < other.mood ? -1 : 1))
}

function told({ project, text }: Concern): string {
  return project ? words.ofProject(project.name, text) : text
}

/** Findings of the quick checks of the service: disk, deliveries that wait, nodes. */
export async function serviceConcerns(deps: ConsoleDeps): Promise<Concern[]> {
  const checks = await runQuickChecks(deps)
  return checks.flatMap(({ name, state }): Concern[] => {
    if (state === "ok") return []
    const mood = state === "failed" ? "bad" : "warn"
    return [
      { mood, text: words.service(name, state), href: "/console/settings/health", link: words.seeHealth },
    ]
  })
}

/** Goes by the same state as the pages about webhooks, so that both are red, amber and quiet together. */
async function endpointConcerns(
  db: ConsoleDeps["db"],
  endpoints: readonly Endpoint[],
  nowMs: number,
  toReplayIt: string,
) {
  const active = ownApplications(endpoints).filter((endpoint) => endpoint.active)
  const ids = idsOf(active)
  const [health, flagged] = await Promise.all([
    readHealth(db, ids, [], nowMs),
    failingEndpoints(db, ids, nowMs),
  ])
  return active.flatMap((endpoint): Concern[] => {
    const { id } = endpoint
    const { state, abandoned, cancelled, retried, day, failing } = health.get(id) as EndpointHealth
    const name = endpointName(endpoint)
    const replayable = words.endpointCancelled(name, upTo(maxCountedBy.cancelled, cancelled), cancelled)
    const replay = { text: replayable, href: `/console/webhooks/${id}/replay`, link: toReplayIt }
    const toReplay: Concern[] = cancelled === 0 ? [] : [{ mood: "warn", ...replay }]
    if (state !== "bad" && state !== "warn") return toReplay
    const dead = flagged.get(id) ?? (day.failedAttempts === 0 ? failing : undefined)
    const answer = dead && answerInWords(dead)
    const text =
      abandoned > 0
        ? words.endpointGivenUp(name, upTo(maxCountedBy.abandoned, abandoned), abandoned, answer)
        : answer !== undefined
          ? words.endpointFailing(name, answer)
          : words.endpointFlaky(name, day.failedAttempts, retried > 0)
    const href = abandoned + retried > 0 ? failingDeliveries(id) : `/console/webhooks/${id}/deliveries`
    return [{ mood: state, text, href, link: words.seeEndpoint }, ...toReplay]
  })
}

const maxConcerns = 20

/** `isTold`: that there is none is told, too. */
export function Attention({ concerns, isTold = false }: { concerns: readonly Concern[]; isTold?: boolean }) {
  if (concerns.length === 0 && !isTold) return null
  return (
    <Section id="attention" title={words.attention}>
      {concerns.length === 0 ? (
        <p class="hint">{words.nothing}</p>
      ) : (
        <ul class="rows concerns">
          {concerns.slice(0, maxConcerns).map((concern) => (
            <li key={told(concern)} class={concern.mood}>
              <div>{told(concern)}</div>
              <a href={concern.href} aria-label={`${concern.link}\u00a0: ${told(concern)}`}>
                {concern.link}
              </a>
            </li>
          ))}
        </ul>
      )}
      {concerns.length > maxConcerns && (
        <p class="hint">{words.moreConcerns(concerns.length - maxConcerns)}</p>
      )}
    </Section>
  )
}
