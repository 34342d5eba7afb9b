import type { Engine } from "../words.ts"

/**
 * A role that groups of the OpenID provider gave goes with them. Which ones they gave was not stored: until the next
 * sign-in tells, every role of a member with an identity counts as one.
 */
export function rolesOfGroups(engine: Engine): string {
  const integer = engine === "sqlite" ? "INTEGER" : "bigint"
  return `
ALTER TABLE member ADD COLUMN by_groups ${integer} NOT NULL DEFAULT 0;
UPDATE member SET by_groups = 1 WHERE operator_id IN (SELECT operator_id FROM operator_identity)
  AND workspace_id = (SELECT id FROM workspace ORDER BY number LIMIT 1);
`
}
