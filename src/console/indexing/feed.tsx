/** @jsxImportSource preact */
import { requireFeed, headersIn as storedHeaders } from "../../assistant/feeds/feed.ts"
import { changeFeed } from "../../assistant/indexing/operations.ts"
import { idOf } from "../../operations/operation.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import { headersIn, OwnHeaders } from "../kit/forms/own-headers.tsx"
import { Head } from "../kit/head.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { type Pages, projectOf } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { words } from "./words.fr.ts"

/** The page about one feed: what its host asks for. */
export function feedPages(pages: Pages, { db, reindexing }: ConsoleDeps) {
  async function show(context: PageContext): Promise<Response> {
    const project = await projectOf(db, context)
    const feed = await requireFeed(db, project.id, idOf({ ids: context.params }, "feed"))
    const list = `/console/projects/${project.id}/indexing`
    return page(
      context,
      { title: feed.address, current: "indexing", project },
      <>
        <Head title={feed.address} back={{ href: list, name: words.title }}>
          {words.kinds[feed.kind]}
        </Head>
        {feed.kind !== "dir" && (
          <Form action={`${list}/feeds/${feed.id}`}>
            <Problem />
            <fieldset disabled={!context.may("editor")}>
              <LinkedDocuments checked={feed.documents === true} />
              <ProtectedSite headers={storedHeaders(feed)} isOpen />
              {context.may("editor") && <button type="submit">{commonWords.save}</button>}
            </fieldset>
          </Form>
        )}
      </>,
    )
  }

  pages
    .at("/console/projects/:project/indexing/feeds/:feed")
    .page("", show)
    .performs("", changeFeed, {
      show,
      input: (values) => ({ headers: headersIn(values), documents: values.has("documents") }),
      async leadsTo({ projectId }) {
        await reindexing.readNow(projectId, { force: false })
        return `/console/projects/${projectId}/indexing?done=feedChanged`
      },
    })
}

/** Whether documents are read that pages link to. */
export function LinkedDocuments({ checked = false }: { checked?: boolean }) {
  return (
    <Field
      name="documents"
      type="box"
      label={words.linkedDocuments}
      hint={words.linkedDocumentsHint}
      checked={checked}
    />
  )
}

/** The demands of a site that is no public one, and a warning: its pages are quoted to everybody afterwards. */
export function ProtectedSite({
  headers,
  isOpen = false,
}: {
  headers: readonly { name: string }[]
  isOpen?: boolean
}) {
  return (
    <OwnHeaders
      headers={headers}
      summary={words.protectedSite}
      hint={words.protectedHint}
      warning={words.protectedWarning}
      isOpen={isOpen}
    />
  )
}
