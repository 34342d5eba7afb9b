/** @jsxImportSource preact */

import type { Project } from "../../accounts/project.ts"
import { assets } from "./assets.ts"
import { Field, Form } from "./forms/fields.tsx"
import { Icon } from "./icon.tsx"
import { maxSwitchable, usePage } from "./page-context.ts"
import { words } from "./words.fr.ts"

/** The sections of a project, in the order of the navigation: the rest of their address. */
const projectSections = {
  home: "",
  questions: "/questions",
  indexing: "/indexing",
  synonyms: "/synonyms",
  received: "/messages",
  forms: "/forms",
  appearance: "/appearance",
  projectSettings: "/settings",
} as const

/** The sections of a workspace, with their addresses. */
const workspaceSections = {
  overview: "/console",
  projects: "/console/projects",
  webhooks: "/console/webhooks",
  settings: "/console/settings",
  auditLog: "/console/journal",
} as const

type ProjectSection = keyof typeof projectSections
type WorkspaceSection = keyof typeof workspaceSections
export type NavigationEntry = ProjectSection | WorkspaceSection | "none"

type Named = Pick<Project, "id" | "name">

interface NavigationProps {
  current: NavigationEntry
  project: Named | undefined
}

/**
 * The navigation of every page. On a narrow screen it stands behind a link to itself, `#menu`, so that it opens
 * and closes without a script.
 */
export function Navigation({ current, project }: NavigationProps) {
  const context = usePage()
  return (
    <header class="side">
      <div class="bar">
        <p class="brand">
          <a href="/console">
            <Logo />
            {words.console}
          </a>
        </p>
        {project && <span class="where">{project.name}</span>}
        <a class="button quiet menu-open" href="#menu">
          <Icon name="menu" />
          {words.menu}
        </a>
      </div>
      <div id="menu" class="menu">
        <a class="button quiet menu-close" href="#content">
          {words.closeMenu}
        </a>
        {context.workspaces.length > 1 && <WorkspaceSwitcher current={current} />}
        {context.projects.length > 0 && <Switcher current={current} project={project} />}
        {project && (
          <nav aria-label={words.navigationOf(project.name)}>
            <ul>
              {Object.entries(projectSections).map(([section, path]) => (
                <Entry
                  key={section}
                  href={`/console/projects/${project.id}${path}`}
                  name={section as ProjectSection}
                  current={current}
                />
              ))}
            </ul>
          </nav>
        )}
        <nav aria-label={words.navigationOf(context.session.workspace.name)}>
          <p class="group">{context.session.workspace.name}</p>
          <ul>
            {Object.entries(workspaceSections).map(([section, href]) => (
              <Entry key={section} href={href} name={section as WorkspaceSection} current={current} />
            ))}
          </ul>
        </nav>
        <Account />
      </div>
    </header>
  )
}

/** The icon of the browser's tab, beside the name that says the same. */
export function Logo() {
  return <img src={assets.icon.path} alt="" width="20" height="20" />
}

interface EntryProps {
  href: string
  name: Exclude<NavigationEntry, "none">
  current: NavigationEntry
}

function Entry({ href, name, current }: EntryProps) {
  return (
    <li>
      <a href={href} aria-current={name === current ? "page" : undefined}>
        <Icon name={name} />
        {words[name]}
      </a>
    </li>
  )
}

/** Shows another workspace: the same page, where every workspace has it. */
function WorkspaceSwitcher({ current }: Pick<NavigationProps, "current">) {
  const context = usePage()
  const { workspaces, session } = context
  const shown = session.workspace
  const isListed = workspaces.some(({ id }) => id === shown.id)
  const offered = isListed ? workspaces : [shown, ...workspaces]
  const section = Object.hasOwn(workspaceSections, current)
    ? workspaceSections[current as WorkspaceSection]
    : workspaceSections.overview
  return (
    <details class="switcher">
      <summary>
        <span>
          <span class="hint">{words.workspace}</span> {shown.name}
        </span>
        <Icon name="unfold" />
      </summary>
      <Form action={switchTo(section)} send={words.show} look="quiet">
        <Field
          name="workspace"
          label={words.chooseWorkspace}
          value={shown.id}
          choices={offered.map(({ id, name }) => [id, name] as const)}
        />
      </Form>
      <ul>
        <li>
          <a href="/console/workspaces">{words.allWorkspaces}</a>
        </li>
      </ul>
    </details>
  )
}

/** Address that shows the workspace of the submitted form, and then this page of the console. */
export function switchTo(page: string): string {
  return page === "/console" ? "/console/workspace" : `/console/workspace?next=${page}`
}

/** Leads to the same section of another project. */
function Switcher({ current, project }: NavigationProps) {
  const context = usePage()
  const section = Object.hasOwn(projectSections, current) ? projectSections[current as ProjectSection] : ""
  const others = context.projects.slice(0, maxSwitchable).filter(({ id }) => id !== project?.id)
  return (
    <details class="switcher">
      <summary>
        <span>
          <span class="hint">{words.project}</span> {project?.name ?? words.chooseProject}
        </span>
        <Icon name="unfold" />
      </summary>
      <ul>
        {others.map(({ id, name }) => (
          <li key={id}>
            <a href={`/console/projects/${id}${section}`}>{name}</a>
          </li>
        ))}
        <li>
          <a href="/console/projects">{words.allProjects}</a>
        </li>
      </ul>
    </details>
  )
}

function Account() {
  const context = usePage()
  const { operator, role } = context.session
  return (
    <details class="account">
      <summary>
        <Icon name="person" />
        <span>{operator.email}</span>
        <Icon name="unfold" />
      </summary>
      <p class="hint">{words.roles[role]}</p>
      <Form action="/console/sign-out">
        <button type="submit" class="quiet">
          {words.signOut}
        </button>
        <button type="submit" class="quiet" formaction="/console/sign-out-everywhere">
          {words.signOutEverywhere}
        </button>
      </Form>
    </details>
  )
}
