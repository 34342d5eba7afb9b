import type { Project } from "../../accounts/project.ts"
import { splitterVersion } from "../../reading/passages/split-document.ts"
import { indexFormat } from "./lance.ts"

/**
 * The format of a new index of the project. A generation of another format is rebuilt. `embeddingName`: the model
 * of its vectors; undefined for an index of words alone.
 */
export function indexFormatFor({ language }: Pick<Project, "language">, embeddingName: string | undefined) {
  return [indexFormat, `splitter-${splitterVersion}`, language, embeddingName]
    .filter((part) => part !== undefined)
    .join(" ")
}

/**
 * Whether a program newer than this one built an index. Nodes of two versions may run side by side while one after
 * the other is replaced: the older ones must not build it back.
 */
export function isOfNewerProgram(format: string): boolean {
  const ours = versionsIn(indexFormatFor({ language: "fr" }, undefined))
  const theirs = versionsIn(format)
  const at = ours.findIndex((version, place) => version !== theirs[place])
  return at >= 0 && (theirs[at] ?? 0) > (ours[at] as number)
}

/** The versions of the index's own format, its analyser and its splitter. */
function versionsIn(format: string): number[] {
  return [...format.matchAll(/\b(?:lance|analyser|splitter)-(\d+)/g)].map(([, version]) => Number(version))
}
