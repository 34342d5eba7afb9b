import { Refusal } from "../../base/errors.ts"
import { type ShownPage, showPage, whyLeftOut } from "../../indexing/shown-page.ts"
import { Detail, Section, Table } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Head } from "../kit/head.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { projectInAddress } from "../kit/page-handlers.ts"
import { page } from "../kit/shell.tsx"
import { words as commonWords } from "../kit/words.fr.ts"
import { words } from "./words.fr.ts"

/** One page of the documentation as the index reads it, and the parts that it leaves out. */
export function readPagePages({ db }: ConsoleDeps) {
  return {
    page: async (context: PageContext) => {
      const project = await projectInAddress(db, context)
      const document = await showPage(db, project.id, context.params["page"] ?? "")
      if (!document || "leftOut" in document) throw new Refusal("not_found", commonWords.unknownPage)
      return page(
        context,
        { title: words.whatWasRead, current: "indexing", project },
        <ReadPage shown={document.read} list={`/console/projects/${project.id}/indexing`} />,
      )
    },
  }
}

function ReadPage({ shown, list }: { shown: ShownPage; list: string }) {
  const { url, title, sections, isCut, leftOut } = shown
  return (
    <>
      <Head title={words.whatWasRead} back={{ href: `${list}#pages`, name: words.pagesTitle }}>
        {words.whatWasReadOf(title)}{" "}
        <a href={url} rel="noreferrer">
          {url}
        </a>
      </Head>
      <Section id="text" title={words.textRead}>
        {sections.map(({ headings, markdown }, at) => (
          <div key={at}>
            {headings.length > 0 && <h3>{headings.join(" › ")}</h3>}
            {markdown !== "" && <pre>{markdown}</pre>}
          </div>
        ))}
        {isCut && <p class="hint">{words.textGoesOn}</p>}
      </Section>
      <Section id="left-out" title={words.leftOutParts}>
        {leftOut.length === 0 ? (
          <p>{words.noLeftOutPart}</p>
        ) : (
          <Table label={words.leftOutParts} head={[words.part, words.reason]}>
            {leftOut.map(({ reason, text }, at) => (
              <tr key={at}>
                <td class="lead">{text}</td>
                <td>
                  <Detail told={whyLeftOut[reason]} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Section>
    </>
  )
}
