/** @jsxImportSource preact */
import { Box } from "../kit/forms/box.tsx"
import { Choice, Field, Form, Problem } from "../kit/forms/fields.tsx"
import type { FormState } from "../kit/forms/form-state.ts"
import type { PageContext } from "../kit/page-context.ts"
import { messages } from "../messages/project.fr.ts"
import { sitemapBox } from "./project-form.ts"

interface NewProjectProps {
  context: PageContext
  formState: FormState
  title: string
}

/** The form for a new project. Where nothing else is said, its documentation is read at once. */
export function NewProject({ context, formState, title }: NewProjectProps) {
  const isNew = [...formState.values].length === 0
  const ticked = isNew ? { ...formState, values: new URLSearchParams({ [sitemapBox]: "on" }) } : formState
  return (
    <section aria-labelledby="new">
      <h2 id="new">{title}</h2>
      <Form context={context} action="/console/projects">
        <Problem formState={formState} />
        <Field formState={formState} name="site" type="url" label={messages.site} hint={messages.siteHint} />
        <Field formState={formState} name="name" label={messages.name} hint={messages.nameHint} optional />
        <Choice
          formState={formState}
          name="language"
          label={messages.language}
          value="fr"
          choices={Object.entries(messages.languages)}
        />
        <Box
          formState={ticked}
          name={sitemapBox}
          label={messages.readSitemap}
          hint={messages.readSitemapHint}
        />
        <button type="submit">{messages.create}</button>
      </Form>
    </section>
  )
}
