import { Tabs } from "../kit/components.tsx"
import { Head } from "../kit/head.tsx"
import { usePage } from "../kit/page-context.ts"
import { words } from "./words.fr.ts"

export function SettingsHead({ current }: { current: keyof typeof words.tabs }) {
  const { workspace } = usePage().session
  return (
    <>
      <Head title={words.settings}>{words.settingsOf(workspace.name)}</Head>
      <Tabs
        label={words.settings}
        tabs={Object.entries(words.tabs).map(([tab, name]) => ({
          href: tab === "workspace" ? "/console/settings" : `/console/settings/${tab}`,
          name,
          current: tab === current,
        }))}
      />
    </>
  )
}
