import { contactCountsSince } from "../../accounts/widget/contact-count.ts"
import { changeWidget } from "../../accounts/widget/operations.ts"
import { findWidgetSettings, maxSuggestions } from "../../accounts/widget/settings.ts"
import { dayMs } from "../../base/clock.ts"
import { asTyped } from "../../base/text.ts"
import { findForms, listFormNames } from "../../forms/definition/form.ts"
import { frequentAnswered } from "../../owners/gaps/frequent-questions.ts"
import { Totals } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Form, Problem } from "../kit/forms/fields.tsx"
import { VersionField } from "../kit/forms/optimistic-lock.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { performs, projectInAddress } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { SettingsHead } from "../settings/settings-head.tsx"
import { ContactFields, LookFields, SuggestionFields, withFields } from "./appearance-fields.tsx"
import { changeIn } from "./appearance-form.ts"
import { Installation } from "./installation.tsx"
import { Preview } from "./preview.tsx"
import { words } from "./words.fr.ts"

const proposedDays = 90
const countedDays = 30

/** How the widget of a project looks, and the form that it offers where there is no answer. */
export function appearancePages(deps: ConsoleDeps) {
  const { db, config } = deps

  async function showPage(context: PageContext): Promise<Response> {
    const project = await projectInAddress(db, context)
    const { settings, seenAt } = await findWidgetSettings(db, project.id)
    const sinceMs = context.nowMs - (countedDays - 1) * dayMs
    const [counts, forms, frequent] = await Promise.all([
      contactCountsSince(db, project.id, config.timezone, sinceMs),
      listFormNames(db, context.workspaceId, { projectId: project.id }),
      frequentAnswered(db, project, context.nowMs - proposedDays * dayMs, maxSuggestions + 2),
    ])
    const offeredForms = await findForms(db, context.workspaceId, withFields(forms, settings.contact?.formId))
    const offered = frequent.filter((question) => !settings.suggestions.map(asTyped).includes(question))
    const path = `/console/projects/${project.id}/appearance`
    const disabled = !context.may("editor")
    return page(
      context,
      { title: words.title, current: "projectSettings", project, flash: { saved: words.saved } },
      <>
        <SettingsHead current="appearance">{words.intro}</SettingsHead>
        <Installation
          project={project}
          publicUrl={config.publicUrl}
          seenAgoMs={seenAt === null ? null : context.nowMs - seenAt}
        />
        <Form action={path}>
          <Problem />
          <VersionField record={settings} />
          <div class="beside">
            <fieldset disabled={disabled}>
              <legend>{words.look}</legend>
              <LookFields settings={settings} />
            </fieldset>
            <Preview project={project} />
            <fieldset disabled={disabled}>
              <SuggestionFields settings={settings} frequent={offered} />
            </fieldset>
            <fieldset disabled={disabled}>
              <legend>{words.contact}</legend>
              <ContactFields
                settings={settings}
                forms={forms.map((form) => offeredForms.get(form.id) ?? form)}
                project={project}
                mayMake={context.may("editor")}
              />
              {counts.offered > 0 && <Counts {...counts} />}
            </fieldset>
          </div>
          {context.may("editor") && <button type="submit">{commonWords.save}</button>}
        </Form>
      </>,
    )
  }

  return {
    page: showPage,
    changeWidget: performs(changeWidget, {
      show: showPage,
      record: async (context) =>
        (await findWidgetSettings(db, (await projectInAddress(db, context)).id)).settings,
      input: changeIn,
      leadsTo: ({ id }) => `/console/projects/${id}/appearance?done=saved`,
    }),
  }
}

function Counts({ offered, solved }: { offered: number; solved: number }) {
  return (
    <>
      <Totals
        of={[
          [words.offered, offered.toLocaleString("fr")],
          [words.solved, solved.toLocaleString("fr")],
          [words.share, words.shareOf(solved, offered)],
        ]}
      />
      <p class="hint">{words.counted}</p>
    </>
  )
}
