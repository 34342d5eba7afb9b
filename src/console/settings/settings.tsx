import packageFile from "../../../package.json" with { type: "json" }
import {
  isNearlyUsed,
  listProjectUsage,
  type ProjectUsage,
  readOrganisationUsage,
  readWorkspaceMonth,
  type WorkspaceMonth,
} from "../../accounts/quotas/usage.ts"
import { changeWorkspace, sendTestMail } from "../../accounts/workspaces/operations.ts"
import { dayIn } from "../../base/clock.ts"
import { idsOf } from "../../base/ids.ts"
import type { CountQuestions } from "../home/figures.ts"
import { sum } from "../kit/chart.tsx"
import { type Fact, Facts, LinkButton, More, pageOfList, Section, Table } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { lastDays } from "../kit/dates.tsx"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { performs } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { SettingsHead } from "./settings-head.tsx"
import { words } from "./words.fr.ts"

const shownProjects = 50

/** The page of the workspace: its name, its usage, the state of the service and, where it sends mails, a test mail. */
export function settingsPages(deps: ConsoleDeps, countQuestions: CountQuestions) {
  const { db, config, mailer, writable } = deps

  async function machineFacts(): Promise<Fact[]> {
    return [
      [words.version, packageFile.version],
      [words.database, (await writable()) ? words.writable : words.notWritable],
      [words.mail, mailer.configured ? words.mailOn : words.mailOff],
    ]
  }

  async function readUsage({ session, workspaceId, workspaces, nowMs }: PageContext): Promise<Usage> {
    const { ask, timezone } = config
    const projects = await listProjectUsage(db, workspaceId, ask, timezone, nowMs)
    const projectIds = idsOf(projects)
    const dayOfMonth = Number(dayIn(timezone, nowMs).slice(8))
    const questionCounts = await countQuestions(projectIds, lastDays(timezone, nowMs, dayOfMonth))
    const ofOrganisation =
      session.administers && workspaces.length > 1
        ? await readOrganisationUsage(db, session.workspace.organisationId, ask, timezone, nowMs)
        : undefined
    const ofWorkspace = await readWorkspaceMonth(db, session.workspace, ask, timezone, nowMs)
    const questions = sum([...questionCounts.values()].flat().map(({ asked }) => asked))
    return { questions, ofWorkspace, ofOrganisation, projects }
  }

  async function showPage(context: PageContext): Promise<Response> {
    const { session } = context
    const isShared = context.workspaces.length > 1
    return page(
      context,
      {
        title: words.tabs.workspace,
        current: "settings",
        flash: { saved: words.saved, mail: words.mailTested },
      },
      <>
        <SettingsHead current="workspace" />
        <Problem />
        {context.may("owner") && (
          <Form action="/console/settings/workspace">
            <Field
              name="name"
              label={isShared ? words.name : words.organisation}
              hint={words.nameHint}
              value={session.workspace.name}
            />
            <p class="actions">
              <button type="submit">{commonWords.save}</button>
              {isShared && <LinkButton href="/console/settings/workspaces/new" label={words.newWorkspace} />}
            </p>
          </Form>
        )}
        <Consumption {...(await readUsage(context))} />
        <Section title={words.service}>
          <Facts
            of={[
              ...(session.administers ? await machineFacts() : []),
              [words.address, config.publicUrl],
              [words.api, <a href="/api/v1/docs">{words.apiLink}</a>],
            ]}
          />
        </Section>
        {context.may("owner") && mailer.configured && (
          <Form action="/console/settings/mail" send={words.mailTestSend} look="quiet">
            <h2>{words.mailTest}</h2>
            <Field name="to" type="email" label={words.mailTestTo} value={session.operator.email} />
          </Form>
        )}
      </>,
    )
  }

  return {
    page: showPage,
    changeWorkspace: performs(changeWorkspace, {
      show: showPage,
      ids: ({ workspaceId }) => ({ workspace: workspaceId }),
      leadsTo: () => "/console/settings?done=saved",
    }),
    sendTestMail: performs(sendTestMail, { show: showPage, leadsTo: () => "/console/settings?done=mail" }),
  }
}

interface Usage {
  questions: number
  ofWorkspace: WorkspaceMonth
  /** Hidden from workspace members: shows other workspaces' usage. */
  ofOrganisation: { questions: number; quota: number } | undefined
  projects: ProjectUsage
}

/** An only workspace has the quota for itself, and is told of it once it is nearly used. */
function Consumption({ questions, ofWorkspace, ofOrganisation, projects }: Usage) {
  const { query, workspaces } = usePage()
  const { items, cursor } = pageOfList(projects, query["cursor"], shownProjects)
  const isNear = isNearlyUsed(ofWorkspace)
  return (
    <Section title={words.usage}>
      <p>{words.month(questions)}</p>
      {(isNear || workspaces.length > 1) && (
        <p class={isNear ? "notice" : "hint"}>
          {isNear && `${words.nearlyUsed} `}
          {words.monthOfWorkspace(ofWorkspace)}
        </p>
      )}
      {ofOrganisation && (
        <>
          <label for="month">{words.monthOfAll}</label>
          <meter
            id="month"
            class="meter"
            min={0}
            max={ofOrganisation.quota}
            value={ofOrganisation.questions}
          />
          <p class="hint">{words.ofQuota(ofOrganisation.questions, ofOrganisation.quota)}</p>
        </>
      )}
      {workspaces.length > 1 && <p class="hint">{ofOrganisation ? words.quotaOfAll : words.quotaShared}</p>}
      {projects.length > 0 && (
        <Table label={words.usage} head={[words.project, words.today]}>
          {items.map(({ id, name, questionsToday, perDay }) => (
            <tr key={id}>
              <td class="lead">{name}</td>
              <td class="top">{words.ofQuota(questionsToday, perDay)}</td>
            </tr>
          ))}
        </Table>
      )}
      <More address="/console/settings" cursor={cursor} />
    </Section>
  )
}
