import type { Engine } from "../words.ts"

/** Entries of the audit log name the project that something was done in. */
export function projectsOfTheAuditLog(engine: Engine): string {
  return `ALTER TABLE audit_log ADD COLUMN project_id ${engine === "sqlite" ? "TEXT" : 'text COLLATE "C"'};`
}
