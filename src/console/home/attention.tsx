/** @jsxImportSource preact */
import { troublesOf } from "../../assistant/indexing/indexing-run.ts"
import { countHeld } from "../../forms/responses/count.ts"
import { runQuickChecks } from "../../ops/checks/checks.ts"
import { answersInDoubt } from "../../ops/checks/data.ts"
import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { failingOf } from "../../webhooks/endpoints/failing.ts"
import { type EndpointHealth, healthOf, mostCounted } from "../../webhooks/endpoints/health.ts"
import { endpointName } from "../../wording/endpoint-name.fr.ts"
import { answerInWords } from "../../wording/webhooks.fr.ts"
import type { Mood } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/page-handlers.ts"
import { messages } from "../messages/home.fr.ts"
import { upTo } from "../webhooks/health.tsx"

/** Something that an owner should look at, and where. */
export interface Concern {
  mood: Extract<Mood, "bad" | "warn">
  text: string
  href: string
  link: string
}

interface Watched {
  workspaceId: string
  projects: readonly { id: string; name: string; assistantEnabled: boolean }[]
  endpoints: readonly Endpoint[]
  nowMs: number
}

/** Whatever is wrong or in doubt in these projects and at these endpoints, the worst first. */
export async function concernsOf(
  { db }: Pick<ConsoleDeps, "db">,
  { workspaceId, projects, endpoints, nowMs }: Watched,
): Promise<Concern[]> {
  const projectIds = projects.map(({ id }) => id)
  const [troubles, held, doubts, ofEndpoints] = await Promise.all([
    troublesOf(db, projectIds),
    countHeld(db, projectIds),
    answersInDoubt(db, workspaceId),
    endpointConcerns(db, endpoints, nowMs),
  ])
  const ofProjects = projects.flatMap(({ id, name, assistantEnabled }): Concern[] => {
    const path = `/console/projects/${id}`
    const count = held.get(id) ?? 0
    const setAside = doubts.setAside.get(id) ?? 0
    const lost = doubts.fallen.get(id) ?? 0
    return [
      ...(troubles.has(id)
        ? [
            {
              mood: "bad" as const,
              text: messages.readingFailed(name),
              href: `${path}/indexing`,
              link: messages.seeReading,
            },
          ]
        : []),
      ...(count > 0
        ? [
            {
              mood: "warn" as const,
              text: messages.held(name, count),
              href: `${path}/messages?state=held`,
              link: messages.seeHeld,
            },
          ]
        : []),
      ...(setAside > 0
        ? [
            {
              mood: "warn" as const,
              text: messages.setAside(name, setAside),
              href: `${path}/questions/chosen`,
              link: messages.seeChosen,
            },
          ]
        : []),
      ...(lost > 0
        ? [
            {
              mood: "warn" as const,
              text: messages.fell(name, lost),
              href: `${path}/questions/evaluation`,
              link: messages.seeEvaluation,
            },
          ]
        : []),
      ...(assistantEnabled
        ? []
        : [
            {
              mood: "warn" as const,
              text: messages.assistantOff(name),
              href: `${path}/settings`,
              link: messages.seeSettings,
            },
          ]),
    ]
  })
  return [...ofEndpoints, ...ofProjects].sort((one, other) => (one.mood < other.mood ? -1 : 1))
}

/** Findings of the quick checks of the service: disk, deliveries that wait, nodes. */
export async function serviceConcerns(deps: ConsoleDeps): Promise<Concern[]> {
  const checks = await runQuickChecks(deps)
  return checks.flatMap(({ name, state }) =>
    state === "ok"
      ? []
      : [
          {
            mood: state === "failed" ? ("bad" as const) : ("warn" as const),
            text: messages.service(name, state),
            href: "/console/settings/health",
            link: messages.seeHealth,
          },
        ],
  )
}

/** Goes by the same state as the pages about webhooks, so that both are red, amber and quiet together. */
async function endpointConcerns(
  db: ConsoleDeps["db"],
  endpoints: readonly Endpoint[],
  nowMs: number,
): Promise<Concern[]> {
  const active = endpoints.filter((endpoint) => endpoint.active)
  const ids = active.map(({ id }) => id)
  const [health, flagged] = await Promise.all([healthOf(db, ids, [], nowMs), failingOf(db, ids, nowMs)])
  return active.flatMap((endpoint): Concern[] => {
    const { id } = endpoint
    const { state, abandoned, cancelled, retried, day, failing } = health.get(id) as EndpointHealth
    const name = endpointName(endpoint)
    const toReplay: Concern[] =
      cancelled === 0
        ? []
        : [
            {
              mood: "warn",
              text: messages.endpointCancelled(name, upTo(mostCounted.cancelled, cancelled), cancelled),
              href: `/console/webhooks/${id}/replay`,
              link: messages.replay,
            },
          ]
    if (state !== "bad" && state !== "warn") return toReplay
    const dead = flagged.get(id) ?? (day.failedAttempts === 0 ? failing : undefined)
    const answer = dead && answerInWords(dead)
    const text =
      abandoned > 0
        ? messages.endpointGivenUp(name, upTo(mostCounted.abandoned, abandoned), abandoned, answer)
        : answer !== undefined
          ? messages.endpointFailing(name, answer)
          : messages.endpointFlaky(name, day.failedAttempts, retried > 0)
    return [{ mood: state, text, href: `/console/webhooks/${id}`, link: messages.seeEndpoint }, ...toReplay]
  })
}

/** The worst come first. */
const maxConcerns = 20

export function Attention({ concerns }: { concerns: readonly Concern[] }) {
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">{messages.attention}</h2>
      {concerns.length === 0 ? (
        <p class="hint">{messages.nothing}</p>
      ) : (
        <ul class="rows concerns">
          {concerns.slice(0, maxConcerns).map(({ mood, text, href, link }) => (
            <li key={text} class={mood === "warn" ? "doubtful" : undefined}>
              <div>{text}</div>
              <a href={href} aria-label={`${link}\u00a0: ${text}`}>
                {link}
              </a>
            </li>
          ))}
        </ul>
      )}
      {concerns.length > maxConcerns && (
        <p class="hint">{messages.moreConcerns(concerns.length - maxConcerns)}</p>
      )}
    </section>
  )
}
