import type { Project } from "../../accounts/project.ts"
import { changeProject, removeProject } from "../../accounts/projects/operations.ts"
import { type NewProject, newProject } from "../../accounts/projects/record.ts"
import { Refusal } from "../../base/errors.ts"
import { camel } from "../../base/names.ts"
import { originOf } from "../../base/origin.ts"
import { withScheme } from "../../base/text.ts"
import { countByThreshold, type ThresholdCounts } from "../../owners/gaps/count-by-threshold.ts"
import { LinkButton } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Field, Fields, Form, Problem } from "../kit/forms/fields.tsx"
import { VersionField } from "../kit/forms/optimistic-lock.tsx"
import { Removal } from "../kit/forms/removal.tsx"
import { type PageContext, usePage, useSubmitted } from "../kit/page-context.ts"
import { performs, projectInAddress } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { SettingsHead } from "../settings/settings-head.tsx"
import { EditionFields, editionsIn } from "./editions.tsx"
import { KindFields, kindIn } from "./kind-fields.tsx"
import { ProgramAddresses, ProgramFields } from "./programs.tsx"
import { words } from "./words.fr.ts"

/** The settings of a project: site, declared addresses, assistant, limits, editions, programs; and its removal. */
export function projectSettingsPages(deps: ConsoleDeps) {
  const { db } = deps

  async function showPage(context: PageContext): Promise<Response> {
    const project = await projectInAddress(db, context)
    return page(
      context,
      { title: words.settings, current: "projectSettings", project, flash: { saved: words.saved } },
      <>
        <SettingsHead current="project" title={words.settings} actions={<More />} />
        <Settings project={project} counts={await countByThreshold(db, project.id)} deps={deps} />
        {context.may("owner") && (
          <Removal
            action={`/console/projects/${project.id}/removal`}
            says={words}
            isOpen={context.submitted.problems["typed_name"] !== undefined}
          >
            <Field name="typed_name" label={words.removeTyped} />
          </Removal>
        )}
      </>,
    )
  }

  return {
    page: showPage,
    changeProject: performs(changeProject, {
      show: showPage,
      record: async (context) => shownSettings(await projectInAddress(db, context)),
      input: (values) => ({
        origins: (values.get("origins") ?? "")
          .split(/[\s,]+/)
          .filter(Boolean)
          .map(withScheme),
        assistant_enabled: values.get("assistant") !== "off",
        mcp_enabled: values.has("mcp_enabled"),
        llms_enabled: values.has("llms_enabled"),
        ...kindIn(values),
        ...editionsIn(values),
      }),
      leadsTo: ({ id }) => `/console/projects/${id}/settings?done=saved`,
    }),
    removeProject: performs(removeProject, {
      show: showPage,
      async input(values, context) {
        const { name } = await projectInAddress(db, context)
        if (values.get("typed_name")?.trim() === name) return {}
        const fields = { typed_name: words.removeMismatch }
        throw new Refusal("invalid_request", words.removeMismatch, { fields })
      },
      leadsTo: () => "/console/projects?done=removed",
    }),
  }
}

/** Ways to a first application and to a second project, which the menu has no entries for until then. */
function More() {
  const { projects, isConnected, may } = usePage()
  if (!may("editor")) return null
  return (
    <>
      {!isConnected && <LinkButton href="/console/webhooks" label={commonWords.connect} />}
      {projects.length === 1 && <LinkButton href="/console/projects#new" label={words.newProject} />}
    </>
  )
}

/** Members of the record that forms of their own set. */
const setElsewhere: readonly (keyof NewProject)[] = ["team_page_listed", "every_hours"]

/** All that the form sets: it would take back a colleague's change of anything that is missing here. */
function shownSettings(project: Project): object {
  const values: Record<string, unknown> = { ...project, ...project.limits }
  const names = Object.keys(newProject.properties) as (keyof NewProject)[]
  return Object.fromEntries(
    names.filter((name) => !setElsewhere.includes(name)).map((name) => [name, values[camel(name)]]),
  )
}

interface SettingsProps {
  project: Project
  /** How many of the last questions each threshold answers. */
  counts: ThresholdCounts
  deps: ConsoleDeps
}

/** Fields of what is folded. */
const advanced = /^(?:edition|origins|per_)/

function Settings({ project, counts, deps }: SettingsProps) {
  const { may } = usePage()
  const { problems } = useSubmitted()
  const others = project.origins.filter((origin) => origin !== originOf(project.site))
  const { ask } = deps.config
  const hasModel = deps.models !== undefined
  const isWritten = hasModel && project.answers === "written"
  const would = counts.judged > 0 && !isWritten ? words.thresholdWould(counts) : undefined
  const thresholdHint = [words.thresholdHint, isWritten ? words.thresholdOfModel : would]
    .filter(Boolean)
    .join(" ")
  const limits = [
    ["per_minute", words.perMinute, project.limits.perMinute, ask.perMinute],
    ["per_visitor_day", words.perVisitorDay, project.limits.perVisitorDay, ask.perVisitorDay],
    ["per_day", words.perDay, project.limits.perDay, ask.perProjectDay],
  ] as const
  const choice = (name: string, label: string, value: string, of: Record<string, string>, hint?: string) => (
    <Field name={name} label={label} hint={hint} value={value} choices={Object.entries(of)} />
  )
  const disabled = !may("editor")
  return (
    <Form
      action={`/console/projects/${project.id}/settings`}
      only="site"
      send={disabled ? undefined : commonWords.save}
    >
      <Problem />
      <VersionField record={shownSettings(project)} />
      <fieldset disabled={disabled}>
        <div class="pair">
          <Field name="name" label={words.name} value={project.name} />
          <Field name="site" type="url" label={words.site} value={project.site} />
        </div>
        <div class="pair">
          {choice("language", words.language, project.language, words.languages)}
          {choice("assistant", words.assistant, project.assistantEnabled ? "on" : "off", words.assistantIs)}
        </div>
        <KindFields kindWord={project.kindWord} />
        {hasModel && choice("answers", words.answers, project.answers, words.answersAre, words.answersHint)}
        <Field name="no_answer_more" {...words.noAnswerMore} value={project.noAnswerMore} optional />
      </fieldset>
      <details class="options" open={Object.keys(problems).some((name) => advanced.test(name))}>
        <summary>{words.advanced}</summary>
        <fieldset disabled={disabled}>
          <Field name="origins" {...words.origins} value={others.join("\n")} rows={3} optional />
          {choice(
            "answer_threshold",
            words.threshold,
            project.answerThreshold,
            words.thresholds,
            thresholdHint,
          )}
          <EditionFields project={project} />
          <h2>{words.limits}</h2>
          <p class="hint">{words.limitsHint}</p>
          <div class="pair">
            <Fields
              of={limits.map(([name, label, own, setting]) => {
                const hint = words.follows(setting.toLocaleString("fr"))
                return { name, label, hint, value: own === null ? "" : String(own), optional: true }
              })}
            />
          </div>
          <ProgramFields project={project} />
        </fieldset>
        <ProgramAddresses project={project} publicUrl={deps.config.publicUrl} />
        <p class="hint">
          {words.identifier} <code>{project.id}</code>
        </p>
      </details>
    </Form>
  )
}
