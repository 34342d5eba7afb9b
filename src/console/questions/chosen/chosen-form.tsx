import { readableUrl } from "../../../base/text.ts"
import { browserScript } from "../../../http/browser-script.ts" with { type: "macro" }
import { addAsset, assetPath } from "../../kit/assets.ts"
import { Tag } from "../../kit/components.tsx"
import { Box, Field, Form, notesAt, Problem } from "../../kit/forms/fields.tsx"
import { useSubmitted } from "../../kit/page-context.ts"
import { words as commonWords } from "../../kit/words.fr.ts"
import type { Mark } from "./markdown-marks.ts"
import { words } from "./words.fr.ts"

export interface OfferedSource {
  address: string
  label: string
  excerpt?: string
  isGone: boolean
  isTicked: boolean
}

interface ChosenFormProps {
  action: string
  /** Id of the visitor's answer that the form was opened from. */
  from: string | undefined
  questions: readonly string[]
  answer: string
  offered: readonly OfferedSource[]
  pages: readonly { url: string; title: string }[]
}

const otherSources = [0, 1]
const marks: readonly Mark[] = ["bold", "list", "link"]

addAsset("answer-editor.js", browserScript("console/questions/chosen/answer-editor.ts"), "text/javascript")

export function AnswerEditorScript() {
  return <script src={assetPath("answer-editor.js")} defer />
}

export function ChosenForm(props: ChosenFormProps) {
  const { values, problems } = useSubmitted()
  const { action, from, questions, answer, offered, pages } = props
  const typed = values.getAll("others")
  const problem = problems["sources"]
  const notes = notesAt("sources", words.sourcesHint, problem)
  return (
    <Form action={action} singleSubmit send={commonWords.save}>
      <Problem />
      {from && <input type="hidden" name="from" value={from} />}
      <div class="columns">
        <div>
          <Field
            name="questions"
            label={words.questions}
            hint={words.questionsHint}
            value={questions.join("\n")}
            rows={Math.max(2, Math.min(questions.length + 1, 6))}
          />
          <Field name="answer" label={words.answer} hint={words.answerHint} value={answer} rows={7} />
          <p class="marks" data-marks hidden>
            {marks.map((mark) => (
              <button key={mark} type="button" class="quiet" data-mark={mark}>
                {words.marks[mark]}
              </button>
            ))}
          </p>
          <section class="answer-preview" aria-label={words.preview} data-answer-preview hidden>
            <p class="hint">{words.preview}</p>
          </section>
        </div>
        <div>
          <fieldset class="boxes" aria-describedby={notes.aria["aria-describedby"]}>
            <legend>{words.sources}</legend>
            {notes.hint}
            {notes.problem}
            {offered.map(({ address, label, excerpt, isGone, isTicked }) => (
              <div key={address} class="offered">
                <Box name="source" value={address} checked={isTicked}>
                  {label} {isGone && <Tag mood="bad">{words.gone}</Tag>}
                  {excerpt && <span class="hint of-source">{excerpt}</span>}
                </Box>
                <a class="hint" href={address} target="_blank" rel="noreferrer">
                  {readableUrl(address)}
                </a>
              </div>
            ))}
          </fieldset>
          <datalist id="pages">
            {pages.map(({ url, title }) => (
              <option key={url} value={url}>
                {title}
              </option>
            ))}
          </datalist>
          <div class="field">
            <label for="others-0">{words.otherSources}</label>
            {notesAt("others", offered.length === 0 ? words.noneOffered : words.otherSourcesHint).hint}
            {otherSources.map((place) => (
              <input
                key={place}
                id={`others-${place}`}
                name="others"
                type="url"
                list="pages"
                value={typed[place] ?? ""}
                aria-label={place > 0 ? words.otherSource(place + 1) : undefined}
                aria-describedby="others-hint"
              />
            ))}
          </div>
        </div>
      </div>
    </Form>
  )
}
