/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { extendReplyTimeout } from "../../http/extend-timeout.ts"
import type { Check } from "../../ops/checks/check.ts"
import { runChecks, runOwnChecks } from "../../ops/checks/checks.ts"
import { Detail, type Mood, Table, Tag } from "../kit/components.tsx"
import type { ConsoleDeps, PageHandlers } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/health.fr.ts"
import { messages as settingsMessages } from "../messages/settings.fr.ts"
import { SettingsHead } from "./settings-head.tsx"

/**
 * Shows the checks of `guichet check`, except the one that reads the whole database. Those about the machine, and
 * about what all workspaces do to it, are for who administers the installation.
 */
export function healthPages(handlers: PageHandlers, deps: ConsoleDeps) {
  return new Elysia({ name: "console-health" }).get(
    "/console/settings/health",
    handlers.page(async (context) => {
      extendReplyTimeout(context.request)
      const { workspaceId, session } = context
      const checks = session.administers
        ? await runChecks(deps, { wholeDatabase: false, workspaceId })
        : await runOwnChecks(deps, workspaceId)
      const failed = checks.filter(({ state }) => state !== "ok").length
      return page(
        context,
        { title: settingsMessages.tabs.health, current: "settings", status: 200 },
        <>
          <SettingsHead context={context} current="health" />
          <p class="intro">{failed === 0 ? messages.allWell : messages.notWell(failed)}</p>
          {!session.administers && <p class="hint">{messages.ownOnly}</p>}
          <Table label={settingsMessages.tabs.health} head={[messages.part, messages.state, messages.detail]}>
            {checks.map(({ name, state, detail }) => (
              <tr>
                <td class="lead">{messages.parts[name]}</td>
                <td class="top">
                  <Tag mood={moods[state]}>{messages.states[state]}</Tag>
                </td>
                <td class="detail">
                  <Detail told={detail} />
                </td>
              </tr>
            ))}
          </Table>
        </>,
      )
    }),
  )
}

const moods: Record<Check["state"], Mood> = { ok: "good", warning: "warn", failed: "bad" }
