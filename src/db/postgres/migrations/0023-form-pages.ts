import { text } from "./baseline/text.ts"

/** As in the step of SQLite. */
export const formPages = `
ALTER TABLE form ADD COLUMN hosted bigint NOT NULL DEFAULT 0;
ALTER TABLE form ADD COLUMN receipt bigint NOT NULL DEFAULT 0;
ALTER TABLE form ADD COLUMN button ${text};
ALTER TABLE form ADD COLUMN thanks ${text};
`
