import { text } from "./baseline/text.ts"

/** As in the step of SQLite. */
export const htmlNotes = `
ALTER TABLE document ADD COLUMN html ${text};
ALTER TABLE feed ADD COLUMN repeated ${text};
`
