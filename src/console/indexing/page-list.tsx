import type { Project } from "../../accounts/project.ts"
import type { Db } from "../../db/connection.ts"
import {
  type IndexedPage,
  type LeftOutPage,
  listIndexedPages,
  listLeftOutPages,
} from "../../indexing/page-state.ts"
import { addressWith, Detail, More, Section, Table, Tabs } from "../kit/components.tsx"
import { Time } from "../kit/dates.tsx"
import { Filter } from "../kit/forms/filter.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { words } from "./words.fr.ts"

/** One page of the list of a project's pages, either indexed or left out. */
export type PageListed = { search: string; next: string | undefined } & (
  | { show: "indexed"; pages: IndexedPage[] }
  | { show: "left_out"; pages: LeftOutPage[] }
)

const pageSize = 50

/** Reads the list from `?show=`, `?search=` and `?after=`. */
export async function readPageList(
  db: Db,
  projectId: string,
  query: PageContext["query"],
): Promise<PageListed> {
  const search = query["search"]?.trim() ?? ""
  const part = { search, after: query["after"] || undefined, atMost: pageSize + 1 }
  if (query["show"] === "left_out") {
    const rows = await listLeftOutPages(db, projectId, part)
    const pages = rows.slice(0, pageSize)
    const last = pages.at(-1)
    const next = rows.length > pageSize && last ? `${last.feedId}|${last.page}` : undefined
    return { search, next, show: "left_out", pages }
  }
  const rows = await listIndexedPages(db, projectId, part)
  const pages = rows.slice(0, pageSize)
  return { search, next: rows.length > pageSize ? pages.at(-1)?.id : undefined, show: "indexed", pages }
}

interface ListProps {
  project: Project
  counts: { indexed: number; leftOut: number }
  list: PageListed
}

export function PageList({ project, counts, list }: ListProps) {
  const path = `/console/projects/${project.id}/indexing`
  const address = (show: string) => addressWith(`${path}#pages`, { show })
  const tabs = [
    ["indexed", words.indexedPages(counts.indexed)],
    ["left_out", words.leftOutPages(counts.leftOut)],
  ] as const
  return (
    <Section id="pages" title={words.pagesTitle}>
      {(counts.leftOut > 0 || list.show === "left_out") && (
        <Tabs
          label={words.pagesTitle}
          tabs={tabs.map(([show, name]) => [address(show), name, show === list.show])}
          isInside
        />
      )}
      {(counts.indexed + counts.leftOut > pageSize || list.search !== "") && (
        <Filter
          action={`${path}#pages`}
          kept={{ show: list.show }}
          fields={[{ name: "search", type: "search", label: words.search, value: list.search }]}
          show={words.searchButton}
        />
      )}
      {list.show === "indexed" && list.pages.some(({ kind }) => kind) && (
        <p class="hint">{words.pageKindsHint}</p>
      )}
      {list.pages.length === 0 ? <p>{words.noPage}</p> : <Pages list={list} path={path} />}
      <More
        address={addressWith(address(list.show), { search: list.search })}
        cursor={list.next}
        name="after"
      />
    </Section>
  )
}

function Pages({ list, path }: { list: PageListed; path: string }) {
  return (
    <Table
      label={words.pageTable[list.show]}
      head={[words.page, ...(list.show === "indexed" ? [words.address, words.readAt] : [words.reason])]}
    >
      {list.show === "indexed"
        ? list.pages.map(({ id, url, title, kind, format, readAt }) => (
            <tr key={id}>
              <td class="lead">
                <a href={`${path}/pages/${id}`} aria-label={`${words.whatWasRead}\u00a0: ${title || url}`}>
                  {title || url}
                </a>
                {format && <div class="hint">{words.formats[format]}</div>}
                {kind && <div class="hint">{words.pageKinds[kind]}</div>}
              </td>
              <td class="grow">{url}</td>
              <td class="when">
                <Time at={readAt} />
              </td>
            </tr>
          ))
        : list.pages.map(({ feedId, page, reason, detail }) => (
            <tr key={`${feedId}|${page}`}>
              <td class="lead address">{page}</td>
              <td>
                {words.reasons[reason]}
                {detail && (
                  <div class="hint">
                    <Detail told={detail} />
                  </div>
                )}
              </td>
            </tr>
          ))}
    </Table>
  )
}
