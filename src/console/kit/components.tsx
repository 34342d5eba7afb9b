/** @jsxImportSource preact */
import { type ComponentChildren, cloneElement, toChildArray, type VNode } from "preact"
import type { Told } from "../../base/errors.ts"
import { userMessage } from "../../wording/user-message.ts"
import { messages } from "../messages/shell.fr.ts"

export type Mood = "good" | "bad" | "warn" | "plain"

export function Tag({ mood, children }: { mood: Mood; children: ComponentChildren }) {
  return <span class={mood === "plain" ? "tag" : `tag ${mood}`}>{children}</span>
}

interface TableProps {
  /** Accessible name of the table. */
  label: string
  head: readonly string[]
  /** Number of trailing columns that hold figures. */
  figures?: number
  /** Rows of a list of many, which on a narrow screen tell their columns by their order alone. */
  isDense?: boolean
  children: ComponentChildren
}

/**
 * A table. On a narrow screen each row becomes a block whose cells show their column name. A table of figures
 * scrolls in its frame instead.
 */
export function Table({ label, head, figures = 0, isDense = false, children }: TableProps) {
  return (
    // A scrolling frame must be reachable by keyboard, hence the tabindex.
    // biome-ignore lint/a11y/useSemanticElements: a frame around a table is no section of the page
    <div class={classOf(figures, isDense)} role="region" aria-label={label} tabindex={0}>
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
        <tbody>{withColumnNames(children, head)}</tbody>
      </table>
    </div>
  )
}

function classOf(figures: number, isDense: boolean): string {
  if (figures > 0) return "table"
  return isDense ? "table stacked dense" : "table stacked"
}

/** Adds to each cell the name of its column, which tables.css shows on a narrow screen. */
function withColumnNames(rows: ComponentChildren, head: readonly string[]): ComponentChildren {
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

/** A technical detail in French. The text of a driver or a server stays in its own words. */
export function Detail({ told }: { told: Told }) {
  return typeof told === "string" ? <code lang="en">{told}</code> : <span>{userMessage(told)}</span>
}

/** Link to the next page of a list. `address` includes the page's filter. */
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

/** Links between the pages of one thing, shown below its title. */
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
