import type { Engine } from "../words.ts"

/**
 * From the last of the 31 steps that were written once for each engine. Tables and columns get the names that the code
 * has for them.
 */
export function oneDeclaration(engine: Engine): string {
  return engine === "sqlite" ? names : names + constraints
}

const names = `
ALTER TABLE generation RENAME COLUMN recipe TO index_format;
ALTER TABLE generation RENAME COLUMN seal TO checksum;
ALTER TABLE endpoint RENAME COLUMN limited TO filtered;
ALTER TABLE endpoint_failure RENAME COLUMN told_at TO notified_at;
ALTER TABLE delivery RENAME COLUMN due_late TO due_is_late;
ALTER TABLE delivery RENAME COLUMN resend_late TO resend_is_late;

ALTER TABLE asked_indexing RENAME TO indexing_request;
ALTER TABLE recent_visit RENAME TO rate_limit;
DROP INDEX recent_visit_by_age;
CREATE INDEX rate_limit_by_age ON rate_limit (until);
ALTER TABLE journal_entry RENAME TO audit_log;
DROP INDEX journal_entry_by_workspace;
DROP INDEX journal_entry_by_age;
CREATE INDEX audit_log_by_workspace ON audit_log (workspace_id, id);
CREATE INDEX audit_log_by_age ON audit_log (at);
`

/** PostgreSQL names constraints after the table that they were made for. */
const constraints = [
  ["form_response_text", "form_response_text_now_pkey", "form_response_text_pkey"],
  ["form_response_text", "form_response_text_now_response_id_fkey", "form_response_text_response_id_fkey"],
  ["indexing_request", "asked_indexing_pkey", "indexing_request_pkey"],
  ["indexing_request", "asked_indexing_project_id_fkey", "indexing_request_project_id_fkey"],
  ["rate_limit", "recent_visit_pkey", "rate_limit_pkey"],
  ["audit_log", "journal_entry_pkey", "audit_log_pkey"],
  ["audit_log", "journal_entry_workspace_id_fkey", "audit_log_workspace_id_fkey"],
]
  .map(([table, before, after]) => `ALTER TABLE ${table} RENAME CONSTRAINT ${before} TO ${after};`)
  .join("\n")
