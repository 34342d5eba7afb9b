import type { words as french } from "../storage.fr.ts"
import type { Sentences } from "../wording.ts"

export const words = {
  full: ({ megabytes }: { megabytes: number }) =>
    `the workspace has no room for more files: ${megabytes} MB at most (GUICHET_FILES_PER_WORKSPACE)`,
  fileAway: "this file cannot be read at the moment: try again later",
  fileGone: "a file is not there any more: send it again",
} satisfies Sentences<typeof french>
