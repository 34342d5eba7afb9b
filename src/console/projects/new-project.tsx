/** @jsxImportSource preact */
import type { Project } from "../../accounts/project.ts"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { words } from "./words.fr.ts"

/** Ticked: the site's sitemap is read as soon as the project is made. */
export const sitemapBox = "sitemap"

/** Where nearly every site has its sitemap. */
export function sitemapOf({ origins }: Pick<Project, "origins">): string {
  return `${origins[0]}/sitemap.xml`
}

/** The form for a new project. Where nothing else is said, its documentation is read at once. */
export function NewProject({ title }: { title: string }) {
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
