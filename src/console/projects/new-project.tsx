/** @jsxImportSource preact */
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { sitemapBox } from "./project-form.ts"
import { words } from "./words.fr.ts"

interface NewProjectProps {
  title: string
}

/** The form for a new project. Where nothing else is said, its documentation is read at once. */
export function NewProject({ title }: NewProjectProps) {
  return (
    <section aria-labelledby="new">
      <h2 id="new">{title}</h2>
      <Form action="/console/projects" send={words.create}>
        <Problem />
        <Field name="site" type="url" label={words.site} hint={words.siteHint} />
        <Field name="name" label={words.name} hint={words.nameHint} optional />
        <Field name="language" label={words.language} value="fr" choices={Object.entries(words.languages)} />
        <Field type="box" name={sitemapBox} label={words.readSitemap} hint={words.readSitemapHint} checked />
      </Form>
    </section>
  )
}
