/** @jsxImportSource preact */

import { Tabs } from "../kit/components.tsx"
import { Head } from "../kit/head.tsx"
import { usePage } from "../kit/page-context.ts"
import { words } from "./words.fr.ts"

const tabs = ["workspace", "health", "operators", "tokens", "account"] as const
const addresses = {
  workspace: "/console/settings",
  health: "/console/settings/health",
  operators: "/console/settings/operators",
  tokens: "/console/settings/tokens",
  account: "/console/settings/account",
} as const

interface SettingsHeadProps {
  current: (typeof tabs)[number]
}

/** Title and tabs of the settings pages. */
export function SettingsHead({ current }: SettingsHeadProps) {
  const context = usePage()
  const { workspace } = context.session
  return (
    <>
      <Head title={words.settings}>{words.settingsOf(workspace.name)}</Head>
      <Tabs
        label={words.settings}
        tabs={tabs.map((tab) => ({
          href: addresses[tab],
          name: words.tabs[tab],
          current: tab === current,
        }))}
      />
    </>
  )
}
