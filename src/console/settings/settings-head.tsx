/** @jsxImportSource preact */

import { Tabs } from "../kit/components.tsx"
import { Head } from "../kit/head.tsx"
import { messages } from "../messages/settings.fr.ts"

const tabs = ["workspace", "health", "operators", "tokens", "account"] as const
const addresses = {
  workspace: "/console/settings",
  health: "/console/settings/health",
  operators: "/console/settings/operators",
  tokens: "/console/settings/tokens",
  account: "/console/settings/account",
} as const

/** Title and tabs of the settings pages. */
export function SettingsHead({ current }: { current: (typeof tabs)[number] }) {
  return (
    <>
      <Head title={messages.settings} />
      <Tabs
        label={messages.settings}
        tabs={tabs.map((tab) => ({
          href: addresses[tab],
          name: messages.tabs[tab],
          current: tab === current,
        }))}
      />
    </>
  )
}
