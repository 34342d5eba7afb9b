import { listMembers } from "../../accounts/operator.ts"
import { projectNames } from "../../accounts/project.ts"
import { listTokens } from "../../accounts/token.ts"
import { dayEndMs, dayStartMs } from "../../base/clock.ts"
import { listPage } from "../../http/list.ts"
import {
  type Action,
  type AuditEntry,
  type AuditFilter,
  type AuditKind,
  auditKinds,
  listAuditLog,
} from "../../operations/audit-log.ts"
import { testReceiverUrl } from "../../webhooks/endpoints/endpoint.ts"
import { testReceiverName } from "../../wording/endpoint-name.fr.ts"
import { addressWith, Empty, More, pickParams, Table } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { requireDay, Time } from "../kit/dates.tsx"
import { Filter, offeredPeople } from "../kit/forms/filter.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { page } from "../kit/shell.tsx"
import { SettingsHead } from "./settings-head.tsx"
import { words } from "./words.fr.ts"

const path = "/console/journal"
const filters = ["kind", "who", "since", "until"] as const

/** The audit log of the workspace, without trials of questions unless they are asked for. */
export function auditLogPages({ db, config }: ConsoleDeps) {
  return {
    page: async (context: PageContext) => {
      const { workspaceId, query } = context
      const { items, next_cursor } = await listPage({ cursor: query["cursor"] }, ({ after, atMost }) =>
        listAuditLog(db, workspaceId, { after, atMost: atMost - 1 }, filterIn(context)),
      )
      const [people, projects] = await Promise.all([
        listActors(db, workspaceId),
        projectNames(db, workspaceId, [...new Set(items.flatMap(({ projectId }) => projectId ?? []))]),
      ])
      const params = pickParams(query, filters)
      const isFiltered = Object.keys(params).length > 0
      const { who } = query
      const known = items.find(({ actor }) => actor.id === who)
      if (who && !people.has(who)) people.set(who, known ? actorName(known) : who)
      return page(
        context,
        { title: words.tabs.auditLog, current: "settings" },
        <>
          <SettingsHead current="auditLog">{words.auditLogIntro(config.auditLogRetentionDays)}</SettingsHead>
          {(items.length > 0 || isFiltered) && (
            <Filter
              action={path}
              fields={[
                {
                  name: "kind",
                  label: words.auditKind,
                  choices: [["", words.auditAnyKind], ...Object.entries(words.auditKinds)],
                },
              ]}
              further={{
                title: words.auditFurther,
                fields: [
                  {
                    name: "who",
                    label: words.who,
                    choices: [["", words.auditAnyone], ...offeredPeople(people, who)],
                  },
                  { name: "since", type: "date", label: words.auditSince },
                  { name: "until", type: "date", label: words.auditUntil },
                ],
              }}
              reset={words.auditReset}
            />
          )}
          {items.length === 0 ? (
            <Empty>{isFiltered ? words.auditLogNoneOfKind : words.auditLogNone}</Empty>
          ) : (
            <Table label={words.tabs.auditLog} head={[words.what, words.about, words.who, words.at]}>
              {items.map((entry) => (
                <tr key={entry.id}>
                  <td class="lead whole">{words.actionsDone[entry.action] ?? entry.action}</td>
                  <td class="grow whole">
                    <Subject entry={entry} project={projects.get(entry.projectId ?? "")} />
                  </td>
                  <td class="who">
                    <a
                      href={addressWith(path, { ...params, who: entry.actor.id })}
                      aria-label={words.onlyBy(actorName(entry))}
                    >
                      {actorName(entry)}
                    </a>
                  </td>
                  <td class="when top">
                    <Time at={entry.at} />
                  </td>
                </tr>
              ))}
            </Table>
          )}
          <More address={addressWith(path, params)} cursor={next_cursor} />
        </>,
      )
    },
  }
}

/** Throws Refusal `invalid_request` for an invalid day. */
function filterIn({ query, timezone }: PageContext): AuditFilter {
  const { kind = "", who, since, until } = query
  return {
    // Ten trials in a row would otherwise hide what others have changed.
    ...(Object.hasOwn(auditKinds, kind)
      ? { only: auditKinds[kind as AuditKind] }
      : { without: auditKinds.trials }),
    ...(who && { actor: who }),
    ...(since && { sinceMs: dayStartMs(timezone, requireDay(since)) }),
    ...(until && { beforeMs: dayEndMs(timezone, requireDay(until)) }),
  }
}

/** Everybody who may have acted, by id. Those who left are found by their name in an entry. */
async function listActors(db: ConsoleDeps["db"], workspaceId: string): Promise<Map<string, string>> {
  const [members, tokens] = await Promise.all([listMembers(db, workspaceId), listTokens(db, workspaceId)])
  return new Map([
    ...members.map(({ id, email }) => [id, email] as const),
    ...tokens.map(({ id, name }) => [id, words.byToken(name || id)] as const),
  ])
}

/** The thing it was done to, a link where there is a page for it, and the project that it belongs to. */
function Subject({ entry, project }: { entry: AuditEntry; project: string | undefined }) {
  const { subject, projectId } = entry
  const name = nameIn(entry) || (subject ? <code>{subject}</code> : "–")
  const href = subjectAddress(entry, project !== undefined)
  return (
    <>
      {href ? <a href={href}>{name}</a> : name}
      {project !== undefined && subject !== projectId && project !== nameIn(entry) && (
        <p class="hint">{project}</p>
      )}
    </>
  )
}

/** The API, and versions before, kept the address of the test receiver. */
function nameIn({ subjectName }: AuditEntry): string | null {
  return subjectName === testReceiverUrl ? testReceiverName : subjectName
}

function actorName({ actor: { kind, name, id } }: AuditEntry): string {
  return kind === "token" ? words.byToken(name || id) : name
}

/** Where the thing is shown; nothing for what has been removed by this, or with its project. */
function subjectAddress({ action, subject, projectId }: AuditEntry, isProjectThere: boolean) {
  const [noun, done] = action.split(".") as [Noun, string]
  const place = places[noun]
  const isShown = typeof place === "string" || (subject !== null && done !== "removed")
  if (!place || !isShown) return undefined
  const address = typeof place === "string" ? place : place(subject as string)
  if (address.startsWith("/console")) return address
  return isProjectThere ? `/console/projects/${projectId}${address}` : undefined
}

type Noun = Action extends `${infer Noun}.${string}` ? Noun : never

/** The page that shows what an action of this noun was done to: of the workspace, or below that of its project. */
const places: Partial<Record<Noun, string | ((subject: string) => string)>> = {
  project: "/settings",
  widget: "/appearance",
  feed: "/indexing",
  synonym: "/synonyms",
  index: "/indexing",
  question: "/questions",
  questions: "/questions",
  answer: "/questions",
  gap: "/questions/gaps",
  gap_mails: "/questions/gaps",
  chosen_answer: "/questions/chosen",
  evaluation: "/questions/evaluation",
  form: (form) => `/forms/${form}`,
  response: "/messages",
  responses: (form) => `/forms/${form}`,
  endpoint: (endpoint) => `/console/webhooks/${endpoint}`,
  secret: (endpoint) => `/console/webhooks/${endpoint}`,
  deliveries: (endpoint) => `/console/webhooks/${endpoint}`,
  replay: (endpoint) => `/console/webhooks/${endpoint}`,
  delivery: (delivery) => `/console/deliveries/${delivery}`,
  token: "/console/settings/tokens",
  operator: "/console/settings/operators",
  workspace: "/console/settings",
  mail: "/console/settings",
}
