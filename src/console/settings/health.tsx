/** @jsxImportSource preact */
import { Elysia } from "elysia"
import { allowSlowReply } from "../../http/slow.ts"
import type { Check } from "../../ops/checks/check.ts"
import { runChecks } from "../../ops/checks/checks.ts"
import type { ConsoleParts, Door } from "../kit/door.ts"
import { type Mood, Particulars, Table, Tag } from "../kit/parts.tsx"
import { page } from "../kit/shell.tsx"
import { messages } from "../messages/health.fr.ts"
import { messages as settingsMessages } from "../messages/settings.fr.ts"
import { SettingsHead } from "./settings-head.tsx"

/**
 * How each part of the service is at this moment: what `guichet check` finds, but for reading the whole
 * database.
 */
export function healthPages(door: Door, parts: ConsoleParts) {
  return new Elysia({ name: "console-health" }).get(
    "/console/settings/health",
    door.page(async (visit) => {
      allowSlowReply(visit.request)
      const checks = await runChecks(parts, { wholeDatabase: false, workspaceId: visit.workspaceId })
      const failed = checks.filter(({ state }) => state !== "ok").length
      return page(
        visit,
        { title: settingsMessages.tabs.health, current: "settings", status: 200 },
        <>
          <SettingsHead current="health" />
          <p>{failed === 0 ? messages.allWell : messages.notWell(failed)}</p>
          <Table label={settingsMessages.tabs.health} head={[messages.part, messages.state, messages.detail]}>
            {checks.map(({ name, state, detail }) => (
              <tr key={name}>
                <td>{messages.parts[name]}</td>
                <td>
                  <Tag mood={moods[state]}>{messages.states[state]}</Tag>
                </td>
                <td>
                  <Particulars text={detail} />
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
