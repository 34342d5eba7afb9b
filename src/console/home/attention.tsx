/** @jsxImportSource preact */
import { troublesOf } from "../../assistant/indexing/indexing-run.ts"
import { dayMs } from "../../base/clock.ts"
import { withoutScheme } from "../../base/text.ts"
import { countHeld } from "../../forms/responses/count.ts"
import { runQuickChecks } from "../../ops/checks/checks.ts"
import type { Endpoint } from "../../webhooks/endpoints/endpoint.ts"
import { failingOf } from "../../webhooks/endpoints/failing.ts"
import { sumsSince } from "../../webhooks/endpoints/hour-sums.ts"
import { answerInWords } from "../../wording/webhooks.fr.ts"
import type { Mood } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/page-handlers.ts"
import { messages } from "../messages/home.fr.ts"

/** Something that an owner should look at, and where. */
export interface Concern {
  mood: Extract<Mood, "bad" | "warn">
  text: string
  href: string
  link: string
}

interface Watched {
  projects: readonly { id: string; name: string; assistantEnabled: boolean }[]
  endpoints: readonly Endpoint[]
  nowMs: number
}

/** Whatever is wrong or in doubt in these projects and at these endpoints, the worst first. */
export async function concernsOf(
  { db }: Pick<ConsoleDeps, "db">,
  { projects, endpoints, nowMs }: Watched,
): Promise<Concern[]> {
  const projectIds = projects.map(({ id }) => id)
  const [troubles, held, ofEndpoints] = await Promise.all([
    troublesOf(db, projectIds),
    countHeld(db, projectIds),
    endpointConcerns(db, endpoints, nowMs),
  ])
  const ofProjects = projects.flatMap(({ id, name, assistantEnabled }): Concern[] => {
    const path = `/console/projects/${id}`
    const count = held.get(id) ?? 0
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

async function endpointConcerns(
  db: ConsoleDeps["db"],
  endpoints: readonly Endpoint[],
  nowMs: number,
): Promise<Concern[]> {
  const active = endpoints.filter((endpoint) => endpoint.active)
  const ids = active.map(({ id }) => id)
  const [failing, ofWeek, ofDay] = await Promise.all([
    failingOf(db, ids, nowMs),
    sumsSince(db, ids, nowMs - 7 * dayMs),
    sumsSince(db, ids, nowMs - dayMs),
  ])
  return active.flatMap(({ id, url, description }): Concern[] => {
    const name = description || withoutScheme(url)
    const at = { href: `/console/webhooks/${id}`, link: messages.seeEndpoint }
    const dead = failing.get(id)
    if (dead) return [{ ...at, mood: "bad", text: messages.endpointFailing(name, answerInWords(dead)) }]
    const givenUp = ofWeek.get(id)?.givenUp ?? 0
    if (givenUp > 0) return [{ ...at, mood: "bad", text: messages.endpointGivenUp(name, givenUp) }]
    const failed = ofDay.get(id)?.failedAttempts ?? 0
    return failed > 0 ? [{ ...at, mood: "warn", text: messages.endpointFlaky(name, failed) }] : []
  })
}

export function Attention({ concerns }: { concerns: readonly Concern[] }) {
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">{messages.attention}</h2>
      {concerns.length === 0 ? (
        <p class="hint">{messages.nothing}</p>
      ) : (
        <ul class="rows concerns">
          {concerns.map(({ mood, text, href, link }) => (
            <li key={text} class={mood === "warn" ? "doubtful" : undefined}>
              <div>{text}</div>
              <a href={href} aria-label={`${link}\u00a0: ${text}`}>
                {link}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
