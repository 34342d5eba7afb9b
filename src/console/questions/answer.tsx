/** @jsxImportSource preact */
import type { Source } from "../../assistant/ask/citations.ts"
import { answerHtml } from "../kit/markdown.ts"

interface AnswerProps {
  /** Sets the numbers of the sources apart from those of other answers on the page. */
  id: string
  answer: string
  sources: readonly Source[]
}

/** An answer as visitors read it, with its numbered sources. */
export function Answer({ id, answer, sources }: AnswerProps) {
  return (
    <>
      <div class="quote" dangerouslySetInnerHTML={{ __html: answerHtml(answer, id) }} />
      <ol>
        {sources.map(({ n, title, section, url }) => (
          <li key={n} value={n} id={`source-${id}-${n}`}>
            <a href={url} rel="noreferrer">
              {section ? `${title} › ${section}` : title}
            </a>
          </li>
        ))}
      </ol>
    </>
  )
}
