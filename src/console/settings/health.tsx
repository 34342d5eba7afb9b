import { listProjectNames, maxProjects } from "../../accounts/project.ts"
import type { Explanation } from "../../base/errors.ts"
import type { Check } from "../../ops/checks/check.ts"
import { runChecks, runOwnChecks } from "../../ops/checks/checks.ts"
import { Detail, type Mood, Table, Tag } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import type { PageContext } from "../kit/page-context.ts"
import { page } from "../kit/shell.tsx"
import { SettingsHead } from "./settings-head.tsx"
import { words as settingsWords } from "./words.fr.ts"

const words = settingsWords.health

/** The checks of `guichet check` but the one of the whole database; those of the machine for its administrator. */
export function healthPages(deps: ConsoleDeps) {
  return {
    page: async (context: PageContext) => {
      const { workspaceId, session } = context
      const checks = session.administers
        ? await runChecks(deps, { wholeDatabase: false, workspaceId })
        : await runOwnChecks(deps, workspaceId)
      const projects = await listProjectNames(deps.db, workspaceId, maxProjects)
      const names = new Map(projects.map(({ id, name }) => [id, name]))
      const failed = checks.filter(({ state }) => state !== "ok").length
      return page(
        context,
        { title: settingsWords.tabs.health, current: "settings" },
        <>
          <SettingsHead current="health" />
          <p class="intro">{failed === 0 ? words.allWell : words.notWell(failed)}</p>
          {!session.administers && <p class="hint">{words.ownOnly}</p>}
          <Table label={settingsWords.tabs.health} head={[words.part, words.state, words.detail]}>
            {checks.map(({ name, state, detail }) => (
              <tr>
                <td class="lead">{words.parts[name]}</td>
                <td class="top">
                  <Tag mood={moods[state]}>{words.states[state]}</Tag>
                </td>
                <td class="detail">
                  <Detail told={withNames(detail, names)} />
                  <Places told={detail} names={names} />
                </td>
              </tr>
            ))}
          </Table>
        </>,
      )
    },
  }
}

function projectsIn(told: Explanation): readonly string[] {
  const projects = typeof told === "string" ? undefined : told.params?.["projects"]
  return Array.isArray(projects) ? projects : []
}

/** Checks name projects by their ids; people know them by their names. */
function withNames(told: Explanation, names: ReadonlyMap<string, string>): Explanation {
  if (typeof told === "string" || projectsIn(told).length === 0) return told
  const projects = projectsIn(told).map((id) => names.get(id) ?? id)
  return { ...told, params: { ...told.params, projects } }
}

/** The pages of a project that show what a check found; what is not named here is about its index. */
const checkPages: Record<string, string> = {
  "checks.answersSetAside": "questions/chosen",
  "checks.answersFell": "questions/evaluation",
}

/** Links to where each project named by a check shows what is wrong. */
function Places({ told, names }: { told: Explanation; names: ReadonlyMap<string, string> }) {
  const ids = projectsIn(told)
  if (ids.length === 0) return null
  const page = (typeof told === "string" ? undefined : checkPages[told.code]) ?? "indexing"
  return (
    <ul class="places">
      {ids.map((id) => (
        <li key={id}>
          <a href={`/console/projects/${id}/${page}`}>{names.get(id) ?? id}</a>
        </li>
      ))}
    </ul>
  )
}

const moods: Record<Check["state"], Mood> = { ok: "good", warning: "warn", failed: "bad" }
