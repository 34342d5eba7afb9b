import type { ComponentChildren } from "preact"
import { Tabs } from "../kit/components.tsx"
import { Head } from "../kit/head.tsx"
import { usePage } from "../kit/page-context.ts"
import { words as commonWords } from "../kit/words.fr.ts"
import { words } from "./words.fr.ts"

const workspaceTabs = { general: "/console/settings", auditLog: "/console/journal" } as const

const generalTabs = {
  workspace: "/console/settings",
  operators: "/console/settings/operators",
  tokens: "/console/settings/tokens",
  health: "/console/settings/health",
  account: "/console/settings/account",
} as const

interface SettingsHeadProps {
  current: "project" | "appearance" | "auditLog" | keyof typeof generalTabs
  title?: string
  actions?: ComponentChildren
  children?: ComponentChildren
}

/** Settings of a project and those of the workspace, on tabs of their own; those of an only project all together. */
export function SettingsHead({ current, title, actions, children }: SettingsHeadProps) {
  const { projects, params, workspaces, session } = usePage()
  const [only] = projects.length === 1 ? projects : []
  const path = `/console/projects/${params["project"] ?? only?.id}`
  const isShared = workspaces.length > 1
  const isGeneral = current in generalTabs
  const names = { ...words.tabs, ...(isShared && { workspace: commonWords.workspace }) }
  const tabs = (of: Record<string, string>, at: string) =>
    Object.entries(of).map(([tab, href]) => [href, names[tab as keyof typeof names], tab === at] as const)
  const addresses = {
    ...((only || "project" in params) && { project: `${path}/settings`, appearance: `${path}/appearance` }),
    ...((only || !("project" in params)) && workspaceTabs),
  }
  return (
    <>
      <Head title={title ?? names[current]} actions={actions}>
        {children ?? (isShared && isGeneral && words.settingsOf(session.workspace.name))}
      </Head>
      <Tabs label={words.settings} tabs={tabs(addresses, isGeneral ? "general" : current)} />
      {isGeneral && <Tabs label={words.tabs.general} tabs={tabs(generalTabs, current)} isInside />}
    </>
  )
}
