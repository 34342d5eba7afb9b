/** Vectors of the parts of a passage, beside its own. Providers' vectors have none. */
export const pieces = `
ALTER TABLE passage_vector ADD COLUMN pieces BLOB NOT NULL DEFAULT x'';
`
