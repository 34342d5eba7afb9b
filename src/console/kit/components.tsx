import { type ComponentChildren, cloneElement, toChildArray, type VNode } from "preact"
import type { Explanation } from "../../base/errors.ts"
import { oneLine } from "../../base/text.ts"
import { userMessage } from "../../wording/user-message.ts"
import { Icon } from "./icon.tsx"
import { words } from "./words.fr.ts"

export type Mood = "good" | "bad" | "warn" | "plain"

export function Tag({ mood, children }: { mood: Mood; children: ComponentChildren }) {
  return <span class={mood === "plain" ? "tag" : `tag ${mood}`}>{children}</span>
}

interface SectionProps {
  id?: string
  title: string
  hint?: string
  children: ComponentChildren
}

/** A part of a page. With an id, its title names it for those who hear the page. */
export function Section({ id, title, hint, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint && <p class="hint">{hint}</p>}
      {children}
    </section>
  )
}

/** Stands where a list has nothing to show yet. */
export function Empty({ action, children }: { action?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="empty">
      <p>{children}</p>
      {action && <p>{action}</p>}
    </section>
  )
}

/** Figures by their names, the figure large. */
export function Totals({ of }: { of: readonly Fact[] }) {
  return (
    <dl class="totals">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface TableProps {
  label: string
  head: readonly string[]
  figures?: number
  /** Whether the first column holds checkboxes: its heading is for screen readers only. */
  isChoice?: boolean
  children: ComponentChildren
}

/**
 * A list of many, whose rows are folded into two lines on a narrow screen (tables.css says by which classes of the
 * cells). A table of figures scrolls in its frame instead.
 */
export function Table({ label, head, figures = 0, isChoice = false, children }: TableProps) {
  return (
    // A scrolling frame must be reachable by keyboard, hence the tabindex.
    // biome-ignore lint/a11y/useSemanticElements: a frame around a table is no section of the page
    <div class={figures > 0 ? "table" : "table dense"} role="region" aria-label={label} tabindex={0}>
      <table>
        <thead>
          <tr>
            {head.map((name, place) => (
              <th key={name} scope="col" class={place < head.length - figures ? undefined : "number"}>
                {isChoice && place === 0 ? <span class="sr">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{withColumnNames(children, head)}</tbody>
      </table>
    </div>
  )
}

/** Adds to each cell the name of its column, which tables.css shows on a narrow screen where it says more. */
function withColumnNames(rows: ComponentChildren, head: readonly string[]): ComponentChildren {
  type Cells = { children: ComponentChildren; "data-column"?: string | undefined }
  return (toChildArray(rows) as VNode<Cells>[]).map((row) =>
    cloneElement(row, {
      children: (toChildArray(row.props.children) as VNode<Cells>[]).map((cell, place) =>
        cloneElement(cell, { "data-column": head[place] }),
      ),
    }),
  )
}

export type Fact = readonly [name: string, value: ComponentChildren]

interface FactsProps {
  /** One that is not so is left out. */
  of: readonly (Fact | false | null | undefined | "")[]
  /** Whether people typed them: their line breaks stay, and on a narrow screen they stand below their names. */
  areTyped?: boolean
}

/** Facts by their names. */
export function Facts({ of, areTyped = false }: FactsProps) {
  return (
    <dl class={areTyped ? "facts values" : "facts"}>
      {of.map(
        (fact) =>
          fact && (
            <>
              <dt>{fact[0]}</dt>
              <dd class={areTyped ? "lines" : undefined}>{fact[1]}</dd>
            </>
          ),
      )}
    </dl>
  )
}

/** A technical detail in French. The text of a driver or a server stays in its own words. */
export function Detail({ told }: { told: Explanation }) {
  return typeof told === "string" ? <code lang="en">{told}</code> : <span>{userMessage(told)}</span>
}

/** The actions of a row. On a narrow screen they stand behind a button of three dots, without a script. */
export function RowActions({ of, children }: { of: string; children: ComponentChildren }) {
  return (
    <details class="row-actions">
      <summary aria-label={words.rowActions(of)}>
        <Icon name="further" />
      </summary>
      <div class="actions">{children}</div>
    </details>
  )
}

interface LinkButtonProps {
  href: string
  label: string
  /** For those who hear the page, where the label alone does not tell it from others. */
  spoken?: string | undefined
  /** Whether it is what the page leads to before all else. */
  isMain?: boolean
  target?: string
  rel?: string
  download?: string | boolean
}

/** A link that looks like a button. */
export function LinkButton({ href, label, spoken, isMain = false, ...attributes }: LinkButtonProps) {
  return (
    <a class={isMain ? "button" : "button quiet"} href={href} aria-label={spoken} {...attributes}>
      {label}
    </a>
  )
}

interface QuietButtonProps {
  label: string
  /** For those who hear the page, where the label alone does not tell it from others. */
  spoken?: string
  /** Id of the form that it sends, where it stands in none: the one that rows share (`<Form forRows>`). */
  form?: string
  /** Where it sends the form, if that does not say it. */
  formaction?: string
  name?: string
  value?: string
}

export function QuietButton({ label, spoken, ...attributes }: QuietButtonProps) {
  return (
    <button type="submit" class="quiet" aria-label={spoken} {...attributes}>
      {label}
    </button>
  )
}

const maxNamed = 80

/** The row's name in the label of a button: short, since each row has several buttons. */
export function rowName(text: string): string {
  return oneLine(text, maxNamed)
}

/** The part of a list that one page shows: after the item `after`, or from the start if that item is gone. */
export function pageOfList<Item extends { id: string }>(
  all: readonly Item[],
  after: string | undefined,
  atMost: number,
): { items: readonly Item[]; cursor: string | null } {
  const start = all.findIndex(({ id }) => id === after) + 1
  const items = all.slice(start, start + atMost)
  return { items, cursor: start + atMost < all.length ? (items.at(-1)?.id ?? null) : null }
}

/** The cursor of the page of `pageOfList` that shows this item; undefined for the first page. */
export function cursorOfPageWith<Item extends { id: string }>(
  all: readonly Item[],
  item: Item,
  atMost: number,
): string | undefined {
  return all[Math.floor(all.indexOf(item) / atMost) * atMost - 1]?.id
}

interface MoreProps {
  address: string
  cursor: string | null | undefined
  /** Name of the parameter that the list goes on with. */
  name?: string
}

export function More({ address, cursor, name = "cursor" }: MoreProps) {
  if (!cursor) return null
  return (
    <p class="next">
      <LinkButton href={addressWith(address, { [name]: cursor })} label={words.next} />
    </p>
  )
}

/** An address with more parameters, those without a value left out. */
export function addressWith(address: string, params: Record<string, string | undefined>): string {
  const [, path, query = "", hash = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(address) ?? []
  const added = Object.entries(params).filter((param): param is [string, string] => Boolean(param[1]))
  const all = [query, new URLSearchParams(added).toString()].filter(Boolean).join("&")
  return `${path}${all && `?${all}`}${hash}`
}

/** The parameters of a page's address that have these names. */
export function pickParams<Name extends string>(
  query: Record<string, string | undefined>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  return Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : []))) as never
}

interface TabsProps {
  label: string
  tabs: readonly (readonly [href: string, name: string, isCurrent: boolean])[]
  /** Parts of a list, inside its page, look lighter than pages. */
  isInside?: boolean
}

/** Links between the pages of one thing, below its title, or between the parts of a list. */
export function Tabs({ label, tabs, isInside = false }: TabsProps) {
  return (
    <nav class={isInside ? "pills" : "subpages"} aria-label={label}>
      {tabs.map(([href, name, isCurrent]) => (
        <a key={href} href={href} aria-current={isCurrent ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}
