/** @jsxImportSource preact */
import type { Project } from "../../accounts/project.ts"
import { messages } from "../messages/shell.fr.ts"
import { Choice, Form } from "./forms/fields.tsx"
import { untouched } from "./forms/form-state.ts"
import type { PageContext } from "./page-context.ts"

/** Address of each navigation entry. Those of a project take its id. */
const entries = {
  project: (project: string) => `/console/projects/${project}`,
  indexing: (project: string) => `/console/projects/${project}/indexing`,
  synonyms: (project: string) => `/console/projects/${project}/synonyms`,
  appearance: (project: string) => `/console/projects/${project}/appearance`,
  questions: (project: string) => `/console/projects/${project}/questions`,
  forms: (project: string) => `/console/projects/${project}/forms`,
  projects: () => "/console/projects",
  webhooks: () => "/console/webhooks",
  settings: () => "/console/settings",
  auditLog: () => "/console/journal",
} as const

export type NavigationEntry = keyof typeof entries | "none"

const projectEntries = ["project", "indexing", "synonyms", "appearance", "questions", "forms"] as const
const workspaceEntries = ["projects", "webhooks", "settings", "auditLog"] as const

interface NavigationProps {
  context: PageContext
  current: NavigationEntry
  project: Project | undefined
}

export function Navigation({ context, current, project }: NavigationProps) {
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
        <p class="group">{context.session.workspace.name}</p>
        <ul>
          {workspaceEntries.map((entry) => (
            <Entry key={entry} href={entries[entry]()} name={entry} current={current} />
          ))}
        </ul>
      </nav>
      <Account context={context} />
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

function Account({ context }: { context: PageContext }) {
  const { operator, role } = context.session
  return (
    <details class="account">
      <summary>
        <span class="address">{operator.email}</span>
      </summary>
      <p class="hint">{messages.roles[role]}</p>
      {context.workspaces.length > 1 && (
        <Form context={context} action="/console/workspace">
          <Choice
            formState={untouched}
            name="workspace"
            label={messages.workspace}
            value={context.workspaceId}
            choices={context.workspaces.map(({ id, name }) => [id, name] as const)}
          />
          <button type="submit" class="quiet">
            {messages.show}
          </button>
        </Form>
      )}
      <Form context={context} action="/console/sign-out">
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
