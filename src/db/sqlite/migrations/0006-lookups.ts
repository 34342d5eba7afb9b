/** Indexes for frequent lookups: an answer by its cache key, newest first, and a document by its address. */
export const lookups = `
DROP INDEX answer_by_cache_key;
CREATE INDEX answer_by_cache_key ON answer (project_id, cache_key, id) WHERE cache_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS document_by_url ON document (project_id, url);
`
