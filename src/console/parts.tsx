/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { sentences } from "./sentences/shell.ts"

/** Small pieces that several pages share. */

export type Mood = "good" | "bad" | "warn" | "plain"

export function Tag({ mood, children }: { mood: Mood; children: ComponentChildren }) {
  return <span class={mood === "plain" ? "tag" : `tag ${mood}`}>{children}</span>
}

interface TableProps {
  /** What it holds. */
  label: string
  head: readonly string[]
  /** How many of its last columns are figures. */
  figures?: number
  children: ComponentChildren
}

/** A table that scrolls in a frame of its own. */
export function Table({ label, head, figures = 0, children }: TableProps) {
  return (
    // A frame that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a frame around a table is no section of the page
    <div class="table" role="region" aria-label={label} tabindex={0}>
      <table>
        <thead>
          <tr>
            {head.map((name, place) => (
              <th key={name} scope="col" class={place < head.length - figures ? undefined : "number"}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

/** The way to the rest of a list. `address` holds the filter of the page. */
export function More({ address, cursor }: { address: string; cursor: string | null }) {
  if (cursor === null) return null
  return (
    <p>
      <a class="button quiet" href={`${address}${address.includes("?") ? "&" : "?"}cursor=${cursor}`}>
        {sentences.next}
      </a>
    </p>
  )
}

/** Pages that belong together, under the title of what they are about. */
export function Tabs({
  label,
  tabs,
}: {
  label: string
  tabs: readonly { href: string; name: string; current: boolean }[]
}) {
  return (
    <nav class="subpages" aria-label={label}>
      {tabs.map(({ href, name, current }) => (
        <a key={href} href={href} aria-current={current ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}
