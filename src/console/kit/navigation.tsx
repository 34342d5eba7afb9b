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
  messages: "/messages",
  indexing: "/indexing",
  projectSettings: "/settings",
} as const

const workspaceSections = {
  overview: "/console",
  projects: "/console/projects",
  webhooks: "/console/webhooks",
  settings: "/console/settings",
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
        {context.projects.length > 1 && <ProjectSwitcher current={current} project={project} />}
        <Sections current={current} project={project} />
        <Account />
      </div>
    </header>
  )
}

/** The icon of the browser's tab, beside the name that says the same. */
export function Logo() {
  return <img src={assetPath("icon.svg")} alt="" width="20" height="20" />
}

type Link = readonly [name: Exclude<NavigationEntry, "none">, href: string]

/** One list for an only project, whose settings hold the others; with more projects, the workspace has its own. */
function Sections({ current, project }: NavigationProps) {
  const { projects, isConnected, session, workspaces, may } = usePage()
  const own = links(projectSections, `/console/projects/${project?.id}`)
  // Where there is a project, its settings lead to the first application.
  const hasWebhooks = isConnected || (projects.length === 0 && may("editor"))
  const shared = links(workspaceSections).filter(([name]) => name !== "webhooks" || hasWebhooks)
  if (project && projects.length === 1) {
    const all = own.toSpliced(-1, 0, ...shared.filter(([name]) => name === "webhooks"))
    const isListed = all.some(([name]) => name === current)
    const place =
      isListed || current === "none" ? current : current === "overview" ? "home" : "projectSettings"
    return <SectionList label={project.name} of={all} current={place} />
  }
  return (
    <>
      {project && <SectionList label={project.name} of={own} current={current} />}
      <SectionList
        label={workspaces.length > 1 ? session.workspace.name : words.allProjects}
        of={shared}
        current={current}
        isTitled={projects.length > 1}
      />
    </>
  )
}

function links(sections: Partial<Record<NavigationEntry, string>>, below = ""): Link[] {
  return Object.entries(sections).map(([name, path]) => [name as Link[0], below + path])
}

interface SectionListProps {
  label: string
  of: readonly Link[]
  current: NavigationEntry
  isTitled?: boolean
}

function SectionList({ label, of, current, isTitled = false }: SectionListProps) {
  return (
    <nav aria-label={words.navigationOf(label)}>
      {isTitled && <p class="group">{label}</p>}
      <ul>
        {of.map(([name, href]) => (
          <li key={name}>
            <a href={href} aria-current={name === current ? "page" : undefined}>
              <Icon name={name} />
              {words[name]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
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
      <Form action="/console/sign-out" send={words.signOut} look="quiet" />
    </details>
  )
}
