import type { Engine } from "../words.ts"

/** A workspace may share its part of the machine with others; a delivery waits for its turn for 30 days at most. */
export function sharesAndWaits(engine: Engine): string {
  const [text, integer] = engine === "sqlite" ? ["TEXT", "INTEGER"] : ['text COLLATE "C"', "bigint"]
  return `
ALTER TABLE workspace ADD COLUMN share_id ${text};
ALTER TABLE delivery ADD COLUMN cancel_reason ${text};
ALTER TABLE endpoint ADD COLUMN waiting_told ${integer} NOT NULL DEFAULT 0;
`
}

/** Marks a workspace while a file is imported into it: a killed import is recognised and removed. */
export function unfinishedWorkspaces(engine: Engine): string {
  const integer = engine === "sqlite" ? "INTEGER" : "bigint"
  return `ALTER TABLE workspace ADD COLUMN is_unfinished ${integer} NOT NULL DEFAULT 0;`
}

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

/**
 * Each account says whether its address is known to be its holder's. How existing accounts were made is unknown. The
 * ones with a second step count as proven, so that no second step gets weaker, and so do the owners of the default
 * workspace, whom the machine's owner added.
 */
export function provenAddresses(engine: Engine): string {
  const [integer, text] = engine === "sqlite" ? ["INTEGER", "TEXT"] : ["bigint", 'text COLLATE "C"']
  return `
ALTER TABLE operator ADD COLUMN proven_at ${integer};
ALTER TABLE invitation ADD COLUMN mailed_hash ${text};
CREATE INDEX invitation_by_mailed_hash ON invitation (mailed_hash) WHERE mailed_hash IS NOT NULL;
UPDATE operator SET proven_at = created_at WHERE id IN (
  SELECT operator_id FROM totp UNION SELECT operator_id FROM passkey UNION
  SELECT operator_id FROM member WHERE role = 'owner'
    AND workspace_id = (SELECT id FROM workspace ORDER BY number LIMIT 1));
`
}
