import { text } from "./baseline/text.ts"

/** As in the step of SQLite. */
export const pagePatterns = `
ALTER TABLE feed ADD COLUMN patterns ${text};
`
