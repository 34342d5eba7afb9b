import type { Engine } from "../words.ts"

/**
 * From the last of the 31 steps that were written once for each engine. A declaration gives constraints of PostgreSQL
 * the names that the server makes of their tables.
 */
export function oneDeclaration(engine: Engine): string {
  return engine === "sqlite" ? "" : constraints
}

const constraints = `
ALTER TABLE form_response_text RENAME CONSTRAINT form_response_text_now_pkey TO form_response_text_pkey;
ALTER TABLE form_response_text
  RENAME CONSTRAINT form_response_text_now_response_id_fkey TO form_response_text_response_id_fkey;
`
