import type { Project } from "../../accounts/project.ts"
import { changeProject, removeProject } from "../../accounts/projects/operations.ts"
import { type NewProject, newProject } from "../../accounts/projects/record.ts"
import { Refusal } from "../../base/errors.ts"
import { camel } from "../../base/names.ts"
import { originOf } from "../../base/origin.ts"
import { withScheme } from "../../base/text.ts"
import { countByThreshold, type ThresholdCounts } from "../../owners/gaps/count-by-threshold.ts"
import { ReadingSchedule } from "../indexing/feeds.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Field, Fields, Form, Problem } from "../kit/forms/fields.tsx"
import { VersionField } from "../kit/forms/optimistic-lock.tsx"
import { Removal } from "../kit/forms/removal.tsx"
import { Head } from "../kit/head.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { performs, projectInAddress } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { words as editionWords } from "./editions.fr.ts"
import { Editions, editionsIn } from "./editions.tsx"
import { KindFields, kindIn } from "./kind-fields.tsx"
import { words as programWords } from "./programs.fr.ts"
import { Programs } from "./programs.tsx"
import { words } from "./words.fr.ts"

/** The settings of a project: site, declared addresses, assistant, limits, rhythm of reading; and its removal. */
export function projectSettingsPages(deps: ConsoleDeps) {
  const { db } = deps

  async function showPage(context: PageContext): Promise<Response> {
    const project = await projectInAddress(db, context)
    const flash = {
      saved: words.saved,
      scheduled: words.scheduled,
      opened: programWords.saved,
      editions: editionWords.saved,
    }
    return page(
      context,
      { title: words.settings, current: "projectSettings", project, flash },
      <>
        <Head title={words.settings} />
        <Settings project={project} counts={await countByThreshold(db, project.id)} deps={deps} />
        <ReadingSchedule project={project} />
        <Editions project={project} />
        <Programs project={project} publicUrl={deps.config.publicUrl} />
        <p class="hint">
          {words.identifier} <code>{project.id}</code>
        </p>
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
        ...kindIn(values),
      }),
      leadsTo: ({ id }) => `/console/projects/${id}/settings?done=saved`,
    }),
    changePrograms: performs(changeProject, {
      show: showPage,
      input: (values) => ({ mcp_enabled: values.has("mcp"), llms_enabled: values.has("llms") }),
      leadsTo: ({ id }) => `/console/projects/${id}/settings?done=opened#programs`,
    }),
    changeEditions: performs(changeProject, {
      show: showPage,
      input: editionsIn,
      leadsTo: ({ id }) => `/console/projects/${id}/settings?done=editions#editions`,
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

/** Members of the record that forms of their own set. */
const setElsewhere: readonly (keyof NewProject)[] = [
  "team_page_listed",
  "mcp_enabled",
  "llms_enabled",
  "editions",
  "edition_fallback",
  "every_hours",
]

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

function Settings({ project, counts, deps }: SettingsProps) {
  const { may } = usePage()
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
  return (
    <Form
      action={`/console/projects/${project.id}/settings`}
      only="site"
      send={may("editor") ? commonWords.save : undefined}
    >
      <Problem />
      <VersionField record={shownSettings(project)} />
      <fieldset disabled={!may("editor")}>
        <legend>{words.identity}</legend>
        <div class="pair">
          <Field name="name" label={words.name} value={project.name} />
          <Field name="site" type="url" label={words.site} value={project.site} />
        </div>
        <Field
          name="origins"
          label={words.origins}
          hint={words.originsHint}
          value={others.join("\n")}
          rows={3}
          optional
        />
        <div class="pair">
          <Field
            name="language"
            label={words.language}
            value={project.language}
            choices={Object.entries(words.languages)}
          />
          <Field
            name="assistant"
            label={words.assistant}
            value={project.assistantEnabled ? "on" : "off"}
            choices={[
              ["on", words.assistantOn],
              ["off", words.assistantOff],
            ]}
          />
        </div>
        <Field
          name="answers"
          label={words.answers}
          hint={hasModel ? words.answersHint : words.noModel}
          value={project.answers}
          choices={Object.entries(hasModel ? words.answersAre : words.answersWillBe)}
        />
        <Field
          name="answer_threshold"
          label={words.threshold}
          hint={thresholdHint}
          value={project.answerThreshold}
          choices={Object.entries(words.thresholds)}
        />
        <KindFields kindWord={project.kindWord} />
        <Field
          name="no_answer_more"
          label={words.noAnswerMore}
          hint={words.noAnswerMoreHint}
          value={project.noAnswerMore}
          optional
        />
      </fieldset>
      <fieldset disabled={!may("editor")}>
        <legend>{words.limits}</legend>
        <p class="hint">{words.limitsHint}</p>
        <div class="pair">
          <Fields
            of={limits.map(([name, label, own, setting]) => {
              const hint = words.follows(setting.toLocaleString("fr"))
              return { name, label, hint, value: own === null ? "" : String(own), optional: true }
            })}
          />
        </div>
      </fieldset>
    </Form>
  )
}
