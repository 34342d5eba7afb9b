/** A form's own page, its own words, and a receipt for the person who wrote. */
export const formPages = `
ALTER TABLE form ADD COLUMN hosted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE form ADD COLUMN receipt INTEGER NOT NULL DEFAULT 0;
ALTER TABLE form ADD COLUMN button TEXT;
ALTER TABLE form ADD COLUMN thanks TEXT;
`
