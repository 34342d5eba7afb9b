import { addSynonyms, removeSynonyms } from "../../index/synonyms/operations.ts"
import { allSynonymGroups, synonymLimits } from "../../index/synonyms/synonym-group.ts"
import { Empty, More, pageOfList, QuietButton } from "../kit/components.tsx"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { Field, Form, Problem } from "../kit/forms/fields.tsx"
import type { PageContext } from "../kit/page-context.ts"
import { performs, projectInAddress } from "../kit/page-handlers.ts"
import { questionsPage, questionsPath } from "./questions-page.tsx"
import { words } from "./synonyms.fr.ts"
import { words as questionWords } from "./words.fr.ts"

const shownGroups = 50

/** The groups of words that mean the same in the questions of a project: list, addition and removal. */
export function synonymsPages({ db }: ConsoleDeps) {
  async function showPage(context: PageContext): Promise<Response> {
    const project = await projectInAddress(db, context)
    const groups = await allSynonymGroups(db, project.id)
    const { items, cursor } = pageOfList(groups, context.query["cursor"], shownGroups)
    const path = synonymsPath(context)
    const { added, removed } = words
    return questionsPage(
      context,
      { project, tab: "synonyms", flash: { added, removed }, intro: words.intro },
      <>
        {groups.length === 0 ? (
          <Empty>{words.none}</Empty>
        ) : (
          <section aria-label={questionWords.tabNames.synonyms}>
            <ul class="rows">
              {items.map(({ id, words: group }) => {
                const joined = group.join(", ")
                const removal = { formaction: `${path}/${id}/removal`, spoken: words.removeNamed(joined) }
                return (
                  <li key={id}>
                    <div>{joined}</div>
                    {context.may("editor") && <QuietButton form="remove" label={words.remove} {...removal} />}
                  </li>
                )
              })}
            </ul>
            <Form forRows="remove" action={path} confirm={words.removeConfirm} />
            <More address={path} cursor={cursor} />
          </section>
        )}
        {context.may("editor") && (
          <Form action={path} send={words.add}>
            <h2>{words.newGroup}</h2>
            <Problem />
            <Field name="words" label={words.words} hint={words.wordsHint} value={firstWord(context)} />
          </Form>
        )}
      </>,
    )
  }

  return {
    page: showPage,
    addSynonyms: performs(addSynonyms, {
      show: showPage,
      input: (values) => ({ words: wordsIn(values.get("words") ?? "") }),
      leadsTo: (_, context) => `${synonymsPath(context)}?done=added`,
    }),
    removeSynonyms: performs(removeSynonyms, {
      leadsTo: (_, context) => `${synonymsPath(context)}?done=removed`,
    }),
  }
}

function synonymsPath({ params }: PageContext): string {
  return questionsPath({ id: params["project"] ?? "" }, "synonyms")
}

/** A word that another page asks a synonym for, with room for the next. */
function firstWord({ query }: PageContext): string | undefined {
  const word = query["words"]?.slice(0, synonymLimits.wordLength)
  return word && `${word}, `
}

/** Words are separated by commas, semicolons or line breaks; a comma too many is no word. */
function wordsIn(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .map((word) => word.trim())
    .filter(Boolean)
}
