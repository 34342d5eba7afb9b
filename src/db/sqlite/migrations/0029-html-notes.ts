/** Notes on HTML pages: what was left out of each, and what the pages of a feed have in common. */
export const htmlNotes = `
ALTER TABLE document ADD COLUMN html TEXT;
ALTER TABLE feed ADD COLUMN repeated TEXT;
`
