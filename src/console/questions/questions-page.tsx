import type { ComponentChildren } from "preact"
import type { Project } from "../../accounts/project.ts"
import { Tabs } from "../kit/components.tsx"
import { Head } from "../kit/head.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { page } from "../kit/shell.tsx"
import { words } from "./words.fr.ts"

/** The rest of the address of each tab, below that of the project. */
const addresses = {
  questions: "/questions",
  gaps: "/questions/gaps",
  chosen: "/questions/chosen",
  synonyms: "/synonyms",
  evaluation: "/questions/evaluation",
} as const
type Tab = keyof typeof addresses
const tabs = Object.keys(addresses) as Tab[]

interface QuestionsPage {
  project: Project
  tab: Tab
  /** Title of the page; the tab's name when absent. */
  title?: string
  flash?: string | Record<string, string> | undefined
  /** The list that the page was opened from, where it is not a tab itself. */
  back?: { href: string; name: string }
  intro?: string
  actions?: ComponentChildren
  head?: ComponentChildren
}

/** One of the pages about a project's questions, below their tabs. */
export function questionsPage(
  context: PageContext,
  { project, tab, title = words.tabNames[tab], flash, back, intro, actions, head }: QuestionsPage,
  body: ComponentChildren,
): Response {
  return page(
    context,
    { title, current: "questions", project, flash, head },
    <>
      <Head title={title} actions={actions} {...(back && { back })} />
      <Tabs
        label={words.tabs}
        tabs={tabs.map((each) => [questionsPath(project, each), words.tabNames[each], each === tab])}
      />
      {intro && <p class="intro">{intro}</p>}
      {body}
    </>,
  )
}

export function questionsPath({ id }: Pick<Project, "id">, tab: Tab, further = ""): string {
  return `/console/projects/${id}${addresses[tab]}${further}`
}
