/** @jsxImportSource preact */
import type { Project } from "../../accounts/project.ts"
import { messages } from "../messages/shell.fr.ts"
import { Choice, Form } from "./fields.tsx"
import { untouched } from "./form.ts"
import type { Visit } from "./page-context.ts"

/** Each page of the console that the navigation leads to, and what it is about. */
const entries = {
  project: (project: string) => `/console/projects/${project}`,
  indexing: (project: string) => `/console/projects/${project}/indexing`,
  questions: (project: string) => `/console/projects/${project}/questions`,
  forms: (project: string) => `/console/projects/${project}/forms`,
  projects: () => "/console/projects",
  webhooks: () => "/console/webhooks",
  settings: () => "/console/settings",
  journal: () => "/console/journal",
} as const

export type NavigationEntry = keyof typeof entries | "none"

const projectEntries = ["project", "indexing", "questions", "forms"] as const
const workspaceEntries = ["projects", "webhooks", "settings", "journal"] as const

interface NavigationProps {
  visit: Visit
  current: NavigationEntry
  project: Project | undefined
}

export function Navigation({ visit, current, project }: NavigationProps) {
  return (
    <header class="side">
      <p class="brand">
        <a href="/console">{messages.console}</a>
      </p>
      <nav aria-label={messages.navigation}>
        {project && (
          <>
            <p class="group">{project.name}</p>
            <ul>
              {projectEntries.map((entry) => (
                <Entry key={entry} href={entries[entry](project.id)} name={entry} current={current} />
              ))}
            </ul>
          </>
        )}
        <p class="group">{visit.session.workspace.name}</p>
        <ul>
          {workspaceEntries.map((entry) => (
            <Entry key={entry} href={entries[entry]()} name={entry} current={current} />
          ))}
        </ul>
      </nav>
      <Account visit={visit} />
    </header>
  )
}

function Entry({ href, name, current }: { href: string; name: keyof typeof entries; current: string }) {
  return (
    <li>
      <a href={href} aria-current={name === current ? "page" : undefined}>
        {messages[name]}
      </a>
    </li>
  )
}

function Account({ visit }: { visit: Visit }) {
  const { operator, role } = visit.session
  return (
    <details class="account">
      <summary>
        <span class="address">{operator.email}</span>
      </summary>
      <p class="hint">{messages.roles[role]}</p>
      {visit.workspaces.length > 1 && (
        <Form visit={visit} action="/console/workspace">
          <Choice
            filled={untouched}
            name="workspace"
            label={messages.workspace}
            value={visit.workspaceId}
            choices={visit.workspaces.map(({ id, name }) => [id, name] as const)}
          />
          <button type="submit" class="quiet">
            {messages.show}
          </button>
        </Form>
      )}
      <Form visit={visit} action="/console/sign-out">
        <button type="submit" class="quiet">
          {messages.signOut}
        </button>
        <button type="submit" class="quiet" formaction="/console/sign-out-everywhere">
          {messages.signOutEverywhere}
        </button>
      </Form>
    </details>
  )
}
