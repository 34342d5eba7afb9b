/** @jsxImportSource preact */
import { Elysia } from "elysia"
import packageFile from "../../../package.json" with { type: "json" }
import { type Usage, usageOf } from "../../accounts/quotas/usage.ts"
import { renameWorkspace } from "../../accounts/workspace.ts"
import { sendTestMail } from "../../mail/test-mail.ts"
import { doneOf } from "../kit/done.ts"
import type { ConsoleParts, Door } from "../kit/door.ts"
import { Field, Form, Problem } from "../kit/fields.tsx"
import { type Filled, untouched } from "../kit/form.ts"
import type { Visit } from "../kit/page-context.ts"
import { Table } from "../kit/parts.tsx"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { sentences } from "../sentences/settings.ts"
import { sentences as shell } from "../sentences/shell.ts"
import { SettingsHead } from "./settings-head.tsx"

/** The workspace: its name, what it used, how the service is, a mail to see whether mails arrive. */
export function settingsPages(door: Door, parts: ConsoleParts) {
  const { db, clock, config, mailer, writable } = parts

  async function shown(visit: Visit, filled: Filled, status: number): Promise<Response> {
    const usage = await usageOf(db, visit.workspaceId, config.ask, config.timezone, clock.now())
    const done = doneOf(visit.query, { saved: sentences.saved, mail: sentences.mailTested })
    return page(
      visit,
      { title: sentences.settings, current: "settings", status, done },
      <>
        <SettingsHead current="workspace" />
        <Problem filled={filled} />
        <Consumption usage={usage} />
        <Service writable={await writable()} canMail={mailer.configured} publicUrl={config.publicUrl} />
        {visit.may("owner") && (
          <>
            <Form visit={visit} action="/console/settings/workspace">
              <Field
                filled={filled}
                name="name"
                label={sentences.name}
                value={visit.session.workspace.name}
              />
              <p class="row">
                <button type="submit">{shell.save}</button>
                <a class="button quiet" href="/console/settings/workspaces/new">
                  {sentences.newWorkspace}
                </a>
              </p>
            </Form>
            <Form visit={visit} action="/console/settings/mail">
              <h2>{sentences.mailTest}</h2>
              <Field
                filled={filled}
                name="to"
                type="email"
                label={sentences.mailTestTo}
                value={visit.session.operator.email}
              />
              <button type="submit" class="quiet">
                {sentences.mailTestSend}
              </button>
            </Form>
          </>
        )}
      </>,
    )
  }

  return new Elysia({ name: "console-settings", prefix: "/console/settings" })
    .get(
      "",
      door.page((visit) => shown(visit, untouched, 200)),
    )
    .post(
      "/workspace",
      door.action(
        "owner",
        async ({ values, workspaceId, about }) => {
          const name = values.get("name") ?? ""
          await renameWorkspace(db, workspaceId, name)
          about(workspaceId, name)
          return seeOther("/console/settings?done=saved")
        },
        shown,
      ),
      { parse: "none" },
    )
    .post(
      "/mail",
      door.action(
        "owner",
        async ({ values, workspaceId }) => {
          const to = (values.get("to") ?? "").trim()
          await sendTestMail(db, mailer, { workspaceId, to, timezone: config.timezone }, clock.now())
          return seeOther("/console/settings?done=mail")
        },
        shown,
      ),
      { parse: "none" },
    )
}

function Consumption({ usage }: { usage: Usage }) {
  return (
    <section>
      <h2>{sentences.usage}</h2>
      <p>
        <label for="month">{sentences.month}</label>
        <meter id="month" class="meter" min={0} max={usage.quota} value={usage.questions} />{" "}
        {sentences.ofQuota(usage.questions, usage.quota)}
      </p>
      {usage.projects.length > 0 && (
        <Table label={sentences.usage} head={[sentences.project, sentences.today]}>
          {usage.projects.map(({ id, name, questionsToday, perDay }) => (
            <tr key={id}>
              <td>{name}</td>
              <td>{sentences.ofQuota(questionsToday, perDay)}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  )
}

function Service(props: { writable: boolean; canMail: boolean; publicUrl: string }) {
  return (
    <section>
      <h2>{sentences.service}</h2>
      <dl class="facts">
        <dt>{sentences.version}</dt>
        <dd>{packageFile.version}</dd>
        <dt>{sentences.database}</dt>
        <dd>{props.writable ? sentences.writable : sentences.notWritable}</dd>
        <dt>{sentences.mail}</dt>
        <dd>{props.canMail ? sentences.mailOn : sentences.mailOff}</dd>
        <dt>{sentences.address}</dt>
        <dd>{props.publicUrl}</dd>
        <dt>{sentences.api}</dt>
        <dd>
          <a href="/api/v1/docs">{sentences.apiLink}</a>
        </dd>
      </dl>
    </section>
  )
}
