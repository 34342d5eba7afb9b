import { LinkButton, rowName } from "../kit/components.tsx"
import { questionsPath } from "./questions-page.tsx"
import { words } from "./words.fr.ts"

export interface WriteAnswerProps {
  projectId: string
  question: string
  /** Id of the assistant's answer, whose gap is treated by the owner's own; undefined for a question that was tried. */
  answerId?: string
  /** The owner's own answer, where that is what was given. */
  chosenId?: string | null
}

/** Leads to the form of the owner's own answer to a question. */
export function WriteAnswer(about: WriteAnswerProps) {
  return (
    <LinkButton
      href={writeAnswerPath(about)}
      label={words.write}
      spoken={words.writeNamed(rowName(about.question))}
    />
  )
}

/** Leads to the owner's own answers, of which one gets the gap's question as a phrasing more. */
export function AttachAnswer({
  projectId,
  question,
  answerId,
}: Required<Omit<WriteAnswerProps, "chosenId">>) {
  return (
    <LinkButton
      href={questionsPath({ id: projectId }, "chosen", `?answer=${answerId}`)}
      label={words.attach}
      spoken={words.attachNamed(rowName(question))}
    />
  )
}

export function writeAnswerPath({ projectId, question, answerId, chosenId }: WriteAnswerProps): string {
  const about = answerId === undefined ? { question } : { answer: answerId }
  return questionsPath(
    { id: projectId },
    "chosen",
    chosenId ? `/${chosenId}/edit` : `/new?${new URLSearchParams(about)}`,
  )
}
