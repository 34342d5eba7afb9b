import type { Project } from "../../accounts/project.ts"
import { Section } from "../kit/components.tsx"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { KindFields } from "./kind-fields.tsx"
import { words } from "./words.fr.ts"

/** Ticked: the site is read as soon as the project is made. */
export const readingBox = "read"

/** The site whose sitemap is looked for. */
export function siteAddress({ origins }: Pick<Project, "origins">): string {
  return `${origins[0]}/`
}

/** The form for a new project. Where nothing else is said, its documentation is read at once. */
export function NewProject({ title }: { title: string }) {
  return (
    <Section id="new" title={title}>
      <Form action="/console/projects" send={words.create}>
        <Problem />
        <Field name="site" type="url" label={words.site} hint={words.siteHint} />
        <Field name="name" label={words.name} hint={words.nameHint} optional />
        <Field name="language" label={words.language} value="fr" choices={Object.entries(words.languages)} />
        <KindFields kindWord="site" />
        <Field type="box" name={readingBox} label={words.readSite} hint={words.readSiteHint} checked />
      </Form>
    </Section>
  )
}
