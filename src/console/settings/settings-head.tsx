import type { ComponentChildren } from "preact"
import { Tabs } from "../kit/components.tsx"
import { Head } from "../kit/head.tsx"
import { usePage } from "../kit/page-context.ts"
import { words as commonWords } from "../kit/words.fr.ts"
import { words } from "./words.fr.ts"

const projectTabs = { project: "settings", appearance: "appearance" } as const
const workspaceTabs = {
  operators: "settings/operators",
  tokens: "settings/tokens",
  auditLog: "journal",
  health: "settings/health",
  workspace: "settings",
  account: "settings/account",
} as const

interface SettingsHeadProps {
  current: keyof typeof projectTabs | keyof typeof workspaceTabs
  title?: string
  actions?: ComponentChildren
  children?: ComponentChildren
}

/** The settings of a project and those of the workspace, on tabs of their own; of an only project, all together. */
export function SettingsHead({ current, title, actions, children }: SettingsHeadProps) {
  const { projects, params, workspaces, session } = usePage()
  const isShared = workspaces.length > 1
  const names = { ...words.tabs, ...(isShared && { workspace: commonWords.workspace }) }
  const [only] = projects.length === 1 ? projects : []
  const projectId = params["project"] ?? only?.id
  const addresses = {
    ...(projectId !== undefined && below(`/console/projects/${projectId}`, projectTabs)),
    ...((only || !("project" in params)) && below("/console", workspaceTabs)),
  }
  return (
    <>
      <Head title={title ?? names[current]} actions={actions}>
        {children ?? (isShared && current in workspaceTabs && words.settingsOf(session.workspace.name))}
      </Head>
      <Tabs
        label={words.settings}
        tabs={Object.entries(addresses).map(([tab, href]) => ({
          href,
          name: names[tab as SettingsHeadProps["current"]],
          current: tab === current,
        }))}
      />
    </>
  )
}

function below(path: string, tabs: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tabs).map(([tab, rest]) => [tab, `${path}/${rest}`]))
}
