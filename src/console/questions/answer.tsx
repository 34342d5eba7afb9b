import type { Source } from "../../answering/ask/citations.ts"
import { answerHtml } from "../../style/markdown.ts"

interface AnswerProps {
  /** Sets the numbers of the sources apart from those of other answers on the page. */
  id: string
  answer: string
  sources: readonly Source[]
  heading?: string
}

/** An answer as visitors read it, with its numbered sources. */
export function Answer({ id, answer, sources, heading }: AnswerProps) {
  return (
    <>
      <div class="quote" dangerouslySetInnerHTML={{ __html: answerHtml(answer, id) }} />
      {heading && sources.length > 0 && <h2>{heading}</h2>}
      {sources.length > 0 && (
        <ol>
          {sources.map(({ n, ...source }) => (
            <li key={n} value={n} id={`source-${id}-${n}`}>
              <SourceLink {...source} />
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

export function SourceLink({ url, ...source }: { url: string; title: string; section: string | null }) {
  return (
    <a href={url} rel="noreferrer">
      {sourceName(source)}
    </a>
  )
}

export function sourceName({ title, section }: { title: string; section: string | null }): string {
  return section ? `${title} › ${section}` : title
}
