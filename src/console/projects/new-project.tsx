/** @jsxImportSource preact */
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { messages } from "../messages/project.fr.ts"
import { sitemapBox } from "./project-form.ts"

interface NewProjectProps {
  title: string
}

/** The form for a new project. Where nothing else is said, its documentation is read at once. */
export function NewProject({ title }: NewProjectProps) {
  return (
    <section aria-labelledby="new">
      <h2 id="new">{title}</h2>
      <Form action="/console/projects">
        <Problem />
        <Field name="site" type="url" label={messages.site} hint={messages.siteHint} />
        <Field name="name" label={messages.name} hint={messages.nameHint} optional />
        <Field
          name="language"
          label={messages.language}
          value="fr"
          choices={Object.entries(messages.languages)}
        />
        <Field
          type="box"
          name={sitemapBox}
          label={messages.readSitemap}
          hint={messages.readSitemapHint}
          checked
        />
        <button type="submit">{messages.create}</button>
      </Form>
    </section>
  )
}
