/** @jsxImportSource preact */

import { Elysia } from "elysia"
import packageFile from "../../../package.json" with { type: "json" }
import { type Usage, usageOf } from "../../accounts/quotas/usage.ts"
import { renameWorkspace } from "../../accounts/workspace.ts"
import { sendTestMail } from "../../mail/test-mail.ts"
import { testMail } from "../../wording/mail.fr.ts"
import { doneOf } from "../kit/done.ts"
import type { ConsoleParts, Door } from "../kit/door.ts"
import { Field, Form, Problem } from "../kit/fields.tsx"
import { type Filled, untouched } from "../kit/form.ts"
import type { Visit } from "../kit/page-context.ts"
import { Table } from "../kit/parts.tsx"
import { seeOther } from "../kit/reply.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/settings.fr.ts"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import { SettingsHead } from "./settings-head.tsx"

/** The workspace: its name, what it used, how the service is, a mail to see whether mails arrive. */
export function settingsPages(door: Door, parts: ConsoleParts) {
  const { db, clock, config, mailer, writable } = parts

  async function shown(visit: Visit, filled: Filled, status: number): Promise<Response> {
    const usage = await usageOf(db, visit.workspaceId, config.ask, config.timezone, clock.now())
    const done = doneOf(visit.query, { saved: messages.saved, mail: messages.mailTested })
    return page(
      visit,
      { title: messages.settings, current: "settings", status, done },
      <>
        <SettingsHead current="workspace" />
        <Problem filled={filled} />
        <Consumption usage={usage} />
        <Service writable={await writable()} canMail={mailer.configured} publicUrl={config.publicUrl} />
        {visit.may("owner") && (
          <>
            <Form visit={visit} action="/console/settings/workspace">
              <Field filled={filled} name="name" label={messages.name} value={visit.session.workspace.name} />
              <p class="row">
                <button type="submit">{shellMessages.save}</button>
                <a class="button quiet" href="/console/settings/workspaces/new">
                  {messages.newWorkspace}
                </a>
              </p>
            </Form>
            <Form visit={visit} action="/console/settings/mail">
              <h2>{messages.mailTest}</h2>
              <Field
                filled={filled}
                name="to"
                type="email"
                label={messages.mailTestTo}
                value={visit.session.operator.email}
              />
              <button type="submit" class="quiet">
                {messages.mailTestSend}
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
          await sendTestMail(
            db,
            mailer,
            { workspaceId, to, timezone: config.timezone, mail: testMail },
            clock.now(),
          )
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
      <h2>{messages.usage}</h2>
      <p>
        <label for="month">{messages.month}</label>
        <meter id="month" class="meter" min={0} max={usage.quota} value={usage.questions} />{" "}
        {messages.ofQuota(usage.questions, usage.quota)}
      </p>
      {usage.projects.length > 0 && (
        <Table label={messages.usage} head={[messages.project, messages.today]}>
          {usage.projects.map(({ id, name, questionsToday, perDay }) => (
            <tr key={id}>
              <td>{name}</td>
              <td>{messages.ofQuota(questionsToday, perDay)}</td>
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
      <h2>{messages.service}</h2>
      <dl class="facts">
        <dt>{messages.version}</dt>
        <dd>{packageFile.version}</dd>
        <dt>{messages.database}</dt>
        <dd>{props.writable ? messages.writable : messages.notWritable}</dd>
        <dt>{messages.mail}</dt>
        <dd>{props.canMail ? messages.mailOn : messages.mailOff}</dd>
        <dt>{messages.address}</dt>
        <dd>{props.publicUrl}</dd>
        <dt>{messages.api}</dt>
        <dd>
          <a href="/api/v1/docs">{messages.apiLink}</a>
        </dd>
      </dl>
    </section>
  )
}
