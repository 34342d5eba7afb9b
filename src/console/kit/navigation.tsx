import type { ComponentChildren } from "preact"
import type { Project } from "../../accounts/project.ts"
import { assetPath } from "./assets.ts"
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

/** On a narrow screen it stands behind a link to itself, `#menu`, which opens and closes without a script. */
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
        {context.projects.length > 0 && <ProjectSwitcher current={current} project={project} />}
        {project && (
          <nav aria-label={words.navigationOf(project.name)}>
            <Sections of={projectSections} below={`/console/projects/${project.id}`} current={current} />
          </nav>
        )}
        <nav aria-label={words.navigationOf(context.session.workspace.name)}>
          <p class="group">{context.session.workspace.name}</p>
          <Sections of={workspaceSections} below="" current={current} />
        </nav>
        <Account />
      </div>
    </header>
  )
}

/** The icon of the browser's tab, beside the name that says the same. */
export function Logo() {
  return <img src={assetPath("icon.svg")} alt="" width="20" height="20" />
}

interface SectionsProps {
  of: Partial<Record<NavigationEntry, string>>
  below: string
  current: NavigationEntry
}

function Sections({ of, below, current }: SectionsProps) {
  const sections = Object.entries(of) as [Exclude<NavigationEntry, "none">, string][]
  return (
    <ul>
      {sections.map(([name, path]) => (
        <li key={name}>
          <a href={below + path} aria-current={name === current ? "page" : undefined}>
            <Icon name={name} />
            {words[name]}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Shows another workspace: the same page, where every workspace has it. */
function WorkspaceSwitcher({ current }: Pick<NavigationProps, "current">) {
  const { workspaces, session } = usePage()
  const currentWorkspace = session.workspace
  const isListed = workspaces.some(({ id }) => id === currentWorkspace.id)
  const offered = isListed ? workspaces : [currentWorkspace, ...workspaces]
  const section = workspaceSections[current as WorkspaceSection] ?? workspaceSections.overview
  return (
    <Switcher
      kind={words.workspace}
      shown={currentWorkspace.name}
      links={[["/console/workspaces", words.allWorkspaces]]}
    >
      <Form action={switchTo(section)} send={words.show} look="quiet">
        <Field
          name="workspace"
          label={words.chooseWorkspace}
          value={currentWorkspace.id}
          choices={offered.map(({ id, name }) => [id, name] as const)}
        />
      </Form>
    </Switcher>
  )
}

/** Address that shows the workspace of the submitted form, and then this page of the console. */
export function switchTo(page: string): string {
  return page === "/console" ? "/console/workspace" : `/console/workspace?next=${page}`
}

/** Leads to the same section of another project. */
function ProjectSwitcher({ current, project }: NavigationProps) {
  const section = projectSections[current as ProjectSection] ?? ""
  const others = usePage()
    .projects.slice(0, maxSwitchable)
    .filter(({ id }) => id !== project?.id)
    .map(({ id, name }) => [`/console/projects/${id}${section}`, name] as const)
  return (
    <Switcher
      kind={words.project}
      shown={project?.name ?? words.chooseProject}
      links={[...others, ["/console/projects", words.allProjects]]}
    />
  )
}

interface SwitcherProps {
  kind: string
  shown: string
  links: readonly (readonly [href: string, name: string])[]
  children?: ComponentChildren
}

function Switcher({ kind, shown, links, children }: SwitcherProps) {
  return (
    <details class="switcher">
      <summary>
        <span>
          <span class="hint">{kind}</span> {shown}
        </span>
        <Icon name="unfold" />
      </summary>
      {children}
      <ul>
        {links.map(([href, name]) => (
          <li key={href}>
            <a href={href}>{name}</a>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Account() {
  const { operator, role } = usePage().session
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
      </Form>
    </details>
  )
}
