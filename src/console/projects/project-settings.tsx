/** @jsxImportSource preact */

import { Elysia } from "elysia"
import { originOf } from "../../accounts/origin.ts"
import type { Project } from "../../accounts/project.ts"
import { changeProject, removeProject } from "../../accounts/projects/operations.ts"
import { Refusal } from "../../base/errors.ts"
import { ReadingSchedule } from "../indexing/feeds.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { flashMessage } from "../kit/flash.ts"
import { Choice, Field, Form, Problem } from "../kit/forms/fields.tsx"
import { type FormState, stateOfForm, untouched } from "../kit/forms/form-state.ts"
import { requireUnchanged, VersionField } from "../kit/forms/optimistic-lock.tsx"
import { Head } from "../kit/head.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { type PageHandlers, projectOf } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/project.fr.ts"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import { projectChangeIn } from "./project-form.ts"

/** The settings of a project: site, declared addresses, assistant, limits, rhythm of reading; and its removal. */
export function projectSettingsPages(handlers: PageHandlers, deps: ConsoleDeps) {
  const { db } = deps

  async function showPage(context: PageContext, formState: FormState, status: number): Promise<Response> {
    const project = await projectOf(db, context)
    const { saved, scheduled } = messages
    return page(
      context,
      {
        title: messages.settings,
        current: "projectSettings",
        project,
        status,
        flash: flashMessage(context.query, { saved, scheduled }),
      },
      <>
        <Head title={messages.settings} />
        <Settings
          context={context}
          project={project}
          formState={stateOfForm(formState, "site")}
          status={status}
          deps={deps}
        />
        <ReadingSchedule context={context} project={project} />
        <p class="hint">
          {messages.identifier} <code>{project.id}</code>
        </p>
        {context.may("owner") && (
          <Removal context={context} project={project} formState={stateOfForm(formState, "typed_name")} />
        )}
      </>,
    )
  }

  return new Elysia({ name: "console-project-settings", prefix: "/console/projects/:project" })
    .get(
      "/settings",
      handlers.page((context) => showPage(context, untouched, 200)),
    )
    .post(
      "/settings",
      ...handlers.performs(
        changeProject,
        {
          async input(values, context) {
            requireUnchanged(values, settingsOf(await projectOf(db, context)))
            return projectChangeIn(values)
          },
          leadsTo: ({ id }) => `/console/projects/${id}/settings?done=saved`,
        },
        showPage,
      ),
    )
    .post(
      "/removal",
      ...handlers.performs(
        removeProject,
        {
          role: "owner",
          async input(values, context) {
            const { name } = await projectOf(db, context)
            if (values.get("typed_name")?.trim() === name) return {}
            const fields = { typed_name: messages.removeMismatch }
            throw new Refusal("invalid_request", messages.removeMismatch, { fields })
          },
          leadsTo: () => "/console/projects?done=removed",
        },
        showPage,
      ),
    )
}

interface PartProps {
  context: PageContext
  project: Project
  formState: FormState
}

/** The settings that the form of a project shows and writes. */
function settingsOf({ name, site, origins, language, assistantEnabled, answers, limits }: Project) {
  return { name, site, origins, language, assistantEnabled, answers, limits }
}

interface SettingsProps extends PartProps {
  status: number
  deps: ConsoleDeps
}

function Settings({ context, project, formState, status, deps }: SettingsProps) {
  const others = project.origins.filter((origin) => origin !== originOf(project.site))
  const { ask } = deps.config
  const hasModel = deps.models !== undefined
  const number = (value: number) => value.toLocaleString("fr")
  const limits = [
    ["per_minute", messages.perMinute, project.limits.perMinute, ask.perMinute],
    ["per_visitor_day", messages.perVisitorDay, project.limits.perVisitorDay, ask.perVisitorDay],
    ["per_day", messages.perDay, project.limits.perDay, ask.perProjectDay],
  ] as const
  return (
    <Form context={context} action={`/console/projects/${project.id}/settings`}>
      <Problem formState={formState} />
      <VersionField record={settingsOf(project)} formState={formState} status={status} />
      <fieldset disabled={!context.may("editor")}>
        <legend>{messages.identity}</legend>
        <div class="pair">
          <Field formState={formState} name="name" label={messages.name} value={project.name} />
          <Field formState={formState} name="site" type="url" label={messages.site} value={project.site} />
        </div>
        <Field
          formState={formState}
          name="origins"
          label={messages.origins}
          hint={messages.originsHint}
          value={others.join("\n")}
          rows={3}
          optional
        />
        <div class="pair">
          <Choice
            formState={formState}
            name="language"
            label={messages.language}
            value={project.language}
            choices={Object.entries(messages.languages)}
          />
          <Choice
            formState={formState}
            name="assistant"
            label={messages.assistant}
            value={project.assistantEnabled ? "on" : "off"}
            choices={[
              ["on", messages.assistantOn],
              ["off", messages.assistantOff],
            ]}
          />
        </div>
        <Choice
          formState={formState}
          name="answers"
          label={messages.answers}
          hint={hasModel ? messages.answersHint : messages.noModel}
          value={project.answers}
          choices={Object.entries(hasModel ? messages.answersAre : messages.answersWillBe)}
        />
      </fieldset>
      <fieldset disabled={!context.may("editor")}>
        <legend>{messages.limits}</legend>
        <p class="hint">{messages.limitsHint}</p>
        <div class="pair">
          {limits.map(([name, label, own, setting]) => (
            <Field
              key={name}
              formState={formState}
              name={name}
              label={label}
              hint={messages.follows(number(setting))}
              value={own === null ? "" : String(own)}
              optional
            />
          ))}
        </div>
      </fieldset>
      {context.may("editor") && <button type="submit">{shellMessages.save}</button>}
    </Form>
  )
}

function Removal({ context, project, formState }: PartProps) {
  return (
    <details class="danger" open={formState.problems["typed_name"] !== undefined}>
      <summary>{messages.remove}</summary>
      <p>{messages.removeHint}</p>
      <Form
        context={context}
        action={`/console/projects/${project.id}/removal`}
        confirm={messages.removeConfirm}
      >
        <Field formState={formState} name="typed_name" label={messages.removeTyped} />
        <button type="submit" class="grave">
          {messages.remove}
        </button>
      </Form>
    </details>
  )
}
