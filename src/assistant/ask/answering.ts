import type { Project } from "../../accounts/project.ts"
import { extractive } from "../extractive/extract.ts"
import type { Answering } from "./outcome.ts"

/** What answers a project's questions. Of one whose answers are extracted, no model is told anything. */
export function answeringOf<Whole extends Answering>(
  whole: Whole,
  { answers }: Pick<Project, "answers">,
): Whole {
  if (answers === "written") return whole
  return { ...whole, answerer: extractive, understanding: undefined, fallback: undefined }
}
