import { maxSentMegabytes } from "../../http/files/sent-files.ts"
import { changeFeed } from "../../indexing/operations.ts"
import { idOf } from "../../operations/operation.ts"
import { type ListedFeed, requireFeed, headersIn as storedHeaders } from "../../reading/feed.ts"
import { type CrawlSettings, crawlLimits, usualCrawl } from "../../reading/kinds/crawl/visits.ts"
import { feedKinds } from "../../reading/kinds/table.ts"
import { readableExtensions } from "../../reading/kinds/upload/media-type.ts"
import { removeFile, uploadFiles } from "../../reading/kinds/upload/operations.ts"
import {
  listLeftOutFiles,
  listUploads,
  servedAddress,
  type Upload,
  uploadUrl,
} from "../../reading/kinds/upload/uploads.ts"
import type { FileLeftOut } from "../../reading/kinds/upload/zip.ts"
import { userMessage } from "../../wording/user-message.ts"
import { More, pageOfList, QuietButton, Section } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Field, FileField, Form, Problem } from "../kit/forms/fields.tsx"
import { headersIn, OwnHeaders } from "../kit/forms/own-headers.tsx"
import { Head } from "../kit/head.tsx"
import { type PageContext, usePage } from "../kit/page-context.ts"
import { performs, projectInAddress } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { words } from "./words.fr.ts"

const shownFiles = 100

/** The page about one feed: the demands of its host, or the files that it holds. */
export function feedPages({ db, reindexing, config }: ConsoleDeps) {
  async function show(context: PageContext): Promise<Response> {
    const project = await projectInAddress(db, context)
    const feed = await requireFeed(db, project.id, idOf({ ids: context.params }, "feed"))
    const list = `/console/projects/${project.id}/indexing`
    const path = `${list}/feeds/${feed.id}`
    const isUpload = feed.kind === "upload"
    const [uploads, leftOut] = isUpload
      ? [await listUploads(db, feed.id), await listLeftOutFiles(db, feed.id)]
      : [[], []]
    const { filesSent, fileRemoved } = words
    const { secret } = feedKinds[feed.kind]
    return page(
      context,
      { title: feedTitle(feed), current: "indexing", project, flash: { filesSent, fileRemoved } },
      <>
        <Head title={feedTitle(feed)} back={{ href: list, name: words.title }}>
          {!isUpload
            ? words.kinds[feed.kind]
            : feed.address === servedAddress
              ? words.servedFiles
              : words.standingFiles(feed.address)}
        </Head>
        {secret && (
          <Form action={path}>
            <Problem />
            <fieldset disabled={!context.may("editor")}>
              {secret === "headers" ? (
                <>
                  {feed.crawl && <CrawlFields crawl={feed.crawl} />}
                  <LinkedDocuments checked={feed.documents === true} />
                  <ProtectedSite headers={storedHeaders(feed)} />
                </>
              ) : (
                <GitToken isStored={storedHeaders(feed).length > 0} />
              )}
              {context.may("editor") && <button type="submit">{commonWords.save}</button>}
            </fieldset>
          </Form>
        )}
        {isUpload && (
          <Files feed={feed} path={path} uploads={uploads} leftOut={leftOut} publicUrl={config.publicUrl} />
        )}
      </>,
    )
  }

  async function readAgain({ id, projectId }: { id: string; projectId: string }, done: string) {
    await reindexing.readNow(projectId, { force: false })
    return `/console/projects/${projectId}/indexing/feeds/${id}?done=${done}`
  }

  return {
    page: show,
    changeFeed: performs(changeFeed, {
      show,
      input: (values) => ({
        headers: headersIn(values),
        documents: values.has("documents"),
        token: values.get("token") || undefined,
        crawl: values.has("crawl.depth") ? crawlIn(values) : undefined,
      }),
      async leadsTo({ projectId }) {
        await reindexing.readNow(String(projectId), { force: false })
        return `/console/projects/${projectId}/indexing?done=feedChanged`
      },
    }),
    uploadFiles: performs(uploadFiles, {
      show,
      takesFiles: true,
      input: (_, { files }) => ({ files }),
      leadsTo: ({ feed }) => readAgain(feed, "filesSent"),
    }),
    removeFile: performs(removeFile, {
      leadsTo: (feed) => readAgain(feed, "fileRemoved"),
    }),
  }
}

/** Its address; a feed whose files Guichet serves has none. */
export function feedTitle({ kind, address }: ListedFeed): string {
  return kind === "upload" && address === servedAddress
    ? `${words.kinds.upload}, ${words.servedByGuichet}`
    : address
}

interface FilesProps {
  feed: ListedFeed
  path: string
  uploads: readonly Upload[]
  leftOut: readonly FileLeftOut[]
  publicUrl: string
}

function Files({ feed, path, uploads, leftOut, publicUrl }: FilesProps) {
  const { may, query } = usePage()
  const { items, cursor } = pageOfList(uploads, query["cursor"], shownFiles)
  return (
    <Section id="files-title" title={words.files}>
      {may("editor") && (
        <Form action={`${path}/uploads`} sendsFiles send={words.sendFiles}>
          <Problem />
          <FileField
            name="files"
            label={words.filesLabel}
            hint={words.filesHint(readableExtensions, maxSentMegabytes)}
            accept={[...readableExtensions, "zip"]}
          />
        </Form>
      )}
      {leftOut.length > 0 && (
        <details class="notice" open>
          <summary>{words.filesLeftOut}</summary>
          {may("editor") && <p class="hint">{words.filesLeftOutHint}</p>}
          <ul>
            {leftOut.slice(0, shownFiles).map(({ name, why }) => (
              <li key={name}>
                {name}
                <div class="hint">{userMessage(why)}</div>
              </li>
            ))}
          </ul>
        </details>
      )}
      {uploads.length === 0 && <p class="hint">{words.noFile}</p>}
      <ul class="rows">
        {items.map((upload) => (
          <li key={upload.id}>
            <div>
              <a href={uploadUrl(publicUrl, feed.address, upload)}>{upload.name}</a>
              <div class="hint">{commonWords.fileSize(upload.file.bytes)}</div>
            </div>
            {may("editor") && (
              <QuietButton
                form="remove"
                formaction={`${path}/uploads/${upload.id}/removal`}
                label={words.remove}
                spoken={words.removeNamed(upload.name)}
              />
            )}
          </li>
        ))}
      </ul>
      <Form forRows="remove" action={path} confirm={words.removeFileConfirm} />
      <More address={path} cursor={cursor} />
    </Section>
  )
}

/** How far links are followed; the usual values are those of most sites. */
export function CrawlFields({ crawl = usualCrawl }: { crawl?: CrawlSettings }) {
  return (
    <>
      <div class="pair">
        {(["depth", "pages"] as const).map((name) => (
          <Field
            key={name}
            name={`crawl.${name}`}
            type="number"
            label={name === "depth" ? words.crawlDepth : words.crawlPages}
            hint={words.crawlMost(crawlLimits[name])}
            value={String(crawl[name])}
          />
        ))}
      </div>
      <Field
        name="crawl.parameters"
        {...words.crawlParameters}
        value={crawl.parameters.join("\n")}
        rows={2}
        optional
      />
    </>
  )
}

/** As an operation takes them. */
export function crawlIn(values: URLSearchParams) {
  return {
    depth: Number(values.get("crawl.depth") || usualCrawl.depth),
    pages: Number(values.get("crawl.pages") || usualCrawl.pages),
    parameters: (values.get("crawl.parameters") ?? "").split(/\s+/).filter(Boolean),
  }
}

export function LinkedDocuments({ checked = false }: { checked?: boolean }) {
  return <Field name="documents" type="box" {...words.linkedDocuments} checked={checked} />
}

/** Access to a private repository, with the warning about protected sites. */
export function GitToken({ isStored = false }: { isStored?: boolean }) {
  const { label, hint } = words.gitToken
  const told = isStored ? `${hint} ${words.gitTokenKept}` : hint
  return (
    <>
      <p class="notice">{words.protectedWarning}</p>
      <Field name="token" type="password" label={label} hint={told} optional />
    </>
  )
}

/** Access to a site that is not public, with a warning: its pages will be quoted to everybody. */
export function ProtectedSite({ headers }: { headers: readonly { name: string }[] }) {
  return (
    <OwnHeaders
      headers={headers}
      summary={words.protectedSite}
      hint={words.protectedHint}
      warning={words.protectedWarning}
    />
  )
}
