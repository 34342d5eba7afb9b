import type { NewestGap } from "../../owners/gaps/newest-gaps.ts"
import { Section } from "../kit/components.tsx"
import { Time } from "../kit/dates.tsx"
import { usePage } from "../kit/page-context.ts"
import { questionsPath } from "../questions/questions-page.tsx"
import { WriteAnswer } from "../questions/write-answer.tsx"
import type { Figures } from "./figures.ts"
import { words } from "./words.fr.ts"

interface GapsProps {
  gaps: readonly NewestGap[]
  figures: Figures
  names?: ReadonlyMap<string, string>
  href?: string
}

export function Gaps({ gaps, figures, names, href }: GapsProps) {
  const isEditor = usePage().may("editor")
  const none = figures.questions.every(({ asked }) => asked === 0) ? words.noGapYet : words.noGap
  return (
    <Section id="gaps" title={words.gaps} hint={gaps.length === 0 ? none : words.gapsHint}>
      <ul class="rows">
        {gaps.map(({ id, projectId, question, askedAt }) => (
          <li key={id}>
            <div>
              <a href={questionsPath({ id: projectId }, "gaps", `?gap=${id}`)}>{question}</a>
              <div class="hint">
                {names && `${names.get(projectId)} · `}
                <Time at={askedAt} />
              </div>
            </div>
            {isEditor && <WriteAnswer projectId={projectId} answerId={id} question={question} />}
          </li>
        ))}
      </ul>
      {href && gaps.length > 0 && (
        <p class="next">
          <a href={href}>{words.allGaps}</a>
        </p>
      )}
    </Section>
  )
}
