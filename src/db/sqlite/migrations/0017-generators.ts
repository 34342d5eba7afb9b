/** The site generator of a folder: as the owner has set it, if so, and as the last reading found it. */
export const siteGenerators = `
ALTER TABLE feed ADD COLUMN generator TEXT;
ALTER TABLE feed ADD COLUMN generator_found TEXT;
`
