/** Which pages of a feed its owner wants. */
export const pagePatterns = `
ALTER TABLE feed ADD COLUMN patterns TEXT;
`
