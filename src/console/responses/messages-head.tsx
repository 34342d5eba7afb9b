import type { ComponentChildren } from "preact"
import type { Project } from "../../accounts/project.ts"
import { words as formWords } from "../forms/words.fr.ts"
import { Tabs } from "../kit/components.tsx"
import { Head } from "../kit/head.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { words } from "./words.fr.ts"

const tabs = [
  ["messages", words.title],
  ["forms", formWords.forms],
] as const

interface MessagesHeadProps {
  project: Pick<Project, "id">
  current: (typeof tabs)[number][0]
  actions?: ComponentChildren
}

/** Messages of a project on one tab, the forms that they come by on the other. */
export function MessagesHead({ project, current, actions }: MessagesHeadProps) {
  return (
    <>
      <Head title={Object.fromEntries(tabs)[current] as string} actions={actions} />
      <Tabs
        label={commonWords.messages}
        tabs={tabs.map(([tab, name]) => [`/console/projects/${project.id}/${tab}`, name, tab === current])}
      />
    </>
  )
}
