/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { originOf } from "../../accounts/origin.ts"
import { changeProject, type Project } from "../../accounts/project.ts"
import type { Answered } from "../../assistant/ask/outcome.ts"
import { tryOut } from "../../assistant/evaluation/trial.ts"
import { Refusal } from "../../base/errors.ts"
import { allowSlowReply } from "../../http/slow.ts"
import { doneOf } from "../kit/done.ts"
import { type ConsoleParts, type Door, projectOf } from "../kit/door.ts"
import { Choice, Field, Form, Problem, Snippet } from "../kit/fields.tsx"
import { type Filled, ofForm, untouched } from "../kit/form.ts"
import type { Visit } from "../kit/page-context.ts"
import { seeOther } from "../kit/reply.ts"
import { requireSeen, Seen } from "../kit/seen.tsx"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/project.fr.ts"
import { messages as shellMessages } from "../messages/shell.fr.ts"
import { projectChangeIn } from "./project-form.ts"
import { Trial } from "./trial.tsx"

/** One project: its site, its declared addresses, its assistant and limits. */
export function projectPages(door: Door, parts: ConsoleParts) {
  const { db } = parts

  async function shown(visit: Visit, filled: Filled, status: number, tried?: Answered): Promise<Response> {
    const project = await projectOf(db, visit)
    const done = doneOf(visit.query, { saved: messages.saved })
    return page(
      visit,
      { title: shellMessages.project, current: "project", project, status, done },
      <>
        <h1>{project.name}</h1>
        <Trial visit={visit} project={project} filled={ofForm(filled, "question")} tried={tried} />
        <section aria-labelledby="snippet">
          <h2 id="snippet">{messages.snippetTitle}</h2>
          <Snippet label={messages.snippet} text={widgetSnippet(parts.config.publicUrl, project.id)} />
          <p class="hint">
            {messages.identifier} <code>{project.id}</code>
          </p>
        </section>
        <Settings
          visit={visit}
          project={project}
          filled={ofForm(filled, "site")}
          status={status}
          parts={parts}
        />
        {visit.may("owner") && (
          <Removal visit={visit} project={project} filled={ofForm(filled, "typed_name")} />
        )}
      </>,
    )
  }

  return new Elysia({ name: "console-project", prefix: "/console/projects/:project" })
    .get(
      "",
      door.page((visit) => shown(visit, untouched, 200)),
    )
    .post(
      "",
      door.action(
        "editor",
        async (sent) => {
          const project = await projectOf(db, sent)
          const { id, name } = project
          requireSeen(sent.values, settingsOf(project))
          await changeProject(db, id, projectChangeIn(sent.values))
          sent.about(id, name)
          return seeOther(`/console/projects/${id}?done=saved`)
        },
        shown,
      ),
      { parse: "none" },
    )
    .post(
      "/trials",
      door.action(
        "editor",
        async (sent) => {
          const project = await projectOf(db, sent)
          const { values, request } = sent
          sent.about(project.id, project.name)
          allowSlowReply(request, parts.assistant.answerTimeoutMs)
          const tried = await tryOut(parts.assistant, project, values.get("question") ?? "", request.signal)
          return shown(sent, { ...untouched, values }, 200, tried)
        },
        shown,
      ),
      { parse: "none" },
    )
    .post(
      "/removal",
      door.action(
        "owner",
        async (sent) => {
          const { id, name } = await projectOf(db, sent)
          if (sent.values.get("typed_name")?.trim() !== name)
            throw new Refusal("invalid_request", messages.removeMismatch, {
              fields: { typed_name: messages.removeMismatch },
            })
          await parts.removeProject(id)
          sent.about(id, name)
          return seeOther("/console/projects?done=removed")
        },
        shown,
      ),
      { parse: "none" },
    )
}

function widgetSnippet(publicUrl: string, projectId: string): string {
  return `<script src="${publicUrl}/widget.js" data-project="${projectId}" defer></script>`
}

interface PartProps {
  visit: Visit
  project: Project
  filled: Filled
}

/** What the form of a project shows and writes. */
function settingsOf({ name, site, origins, language, assistantEnabled, answers, limits }: Project) {
  return { name, site, origins, language, assistantEnabled, answers, limits }
}

interface SettingsProps extends PartProps {
  status: number
  parts: ConsoleParts
}

function Settings({ visit, project, filled, status, parts }: SettingsProps) {
  const others = project.origins.filter((origin) => origin !== originOf(project.site))
  const { ask } = parts.config
  const number = (value: number) => value.toLocaleString("fr")
  const limits = [
    ["per_minute", messages.perMinute, project.limits.perMinute, ask.perMinute],
    ["per_visitor_day", messages.perVisitorDay, project.limits.perVisitorDay, ask.perVisitorDay],
    ["per_day", messages.perDay, project.limits.perDay, ask.perProjectDay],
  ] as const
  return (
    <Form visit={visit} action={`/console/projects/${project.id}`}>
      <Problem filled={filled} />
      <Seen thing={settingsOf(project)} filled={filled} status={status} />
      <fieldset disabled={!visit.may("editor")}>
        <legend>{messages.identity}</legend>
        <Field filled={filled} name="name" label={messages.name} value={project.name} />
        <Field filled={filled} name="site" type="url" label={messages.site} value={project.site} />
        <Field
          filled={filled}
          name="origins"
          label={messages.origins}
          hint={messages.originsHint}
          value={others.join("\n")}
          rows={3}
          optional
        />
        <Choice
          filled={filled}
          name="language"
          label={messages.language}
          value={project.language}
          choices={Object.entries(messages.languages)}
        />
        <Choice
          filled={filled}
          name="assistant"
          label={messages.assistant}
          value={project.assistantEnabled ? "on" : "off"}
          choices={[
            ["on", messages.assistantOn],
            ["off", messages.assistantOff],
          ]}
        />
        <Choice
          filled={filled}
          name="answers"
          label={messages.answers}
          hint={messages.answersHint}
          value={project.answers}
          choices={Object.entries(messages.answersAre)}
        />
      </fieldset>
      <fieldset disabled={!visit.may("editor")}>
        <legend>{messages.limits}</legend>
        <p class="hint">{messages.limitsHint}</p>
        {limits.map(([name, label, own, setting]) => (
          <Field
            key={name}
            filled={filled}
            name={name}
            label={label}
            hint={messages.follows(number(setting))}
            value={own === null ? "" : String(own)}
            optional
          />
        ))}
      </fieldset>
      {visit.may("editor") && <button type="submit">{shellMessages.save}</button>}
    </Form>
  )
}

function Removal({ visit, project, filled }: PartProps) {
  return (
    <details class="danger" open={filled.problems["typed_name"] !== undefined}>
      <summary>{messages.remove}</summary>
      <p>{messages.removeHint}</p>
      <Form visit={visit} action={`/console/projects/${project.id}/removal`} confirm={messages.removeConfirm}>
        <Field filled={filled} name="typed_name" label={messages.removeTyped} />
        <button type="submit" class="grave">
          {messages.remove}
        </button>
      </Form>
    </details>
  )
}
