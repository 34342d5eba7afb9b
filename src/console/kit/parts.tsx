/** @jsxImportSource preact */
import { type ComponentChildren, cloneElement, toChildArray, type VNode } from "preact"
import { messages } from "../messages/shell.fr.ts"
import { inFrench } from "./particulars.ts"

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

/**
 * A table. Where the screen is narrow each row stands as a block whose cells say what they are; one of
 * figures scrolls in its frame.
 */
export function Table({ label, head, figures = 0, children }: TableProps) {
  return (
    // A frame that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a frame around a table is no section of the page
    <div class={figures > 0 ? "table" : "table stacked"} role="region" aria-label={label} tabindex={0}>
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
        <tbody>{named(children, head)}</tbody>
      </table>
    </div>
  )
}

/** Each cell with the name of its column. */
function named(rows: ComponentChildren, head: readonly string[]): ComponentChildren {
  return (toChildArray(rows) as VNode<Cells>[]).map((row) =>
    cloneElement(row, {
      children: (toChildArray(row.props.children) as VNode<Cells>[]).map((cell, place) =>
        cloneElement(cell, { "data-column": head[place] }),
      ),
    }),
  )
}

interface Cells {
  children: ComponentChildren
  "data-column"?: string | undefined
}

/** What the program found out; what a driver or a server says in its own words stands as it is. */
export function Particulars({ text }: { text: string }) {
  const french = inFrench(text)
  return french ? <span>{french}</span> : <code lang="en">{text}</code>
}

/** The way to the rest of a list. `address` holds the filter of the page. */
export function More({ address, cursor }: { address: string; cursor: string | null }) {
  if (cursor === null) return null
  return (
    <p>
      <a class="button quiet" href={`${address}${address.includes("?") ? "&" : "?"}cursor=${cursor}`}>
        {messages.next}
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
