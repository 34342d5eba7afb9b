import type { Engine } from "../words.ts"

/**
 * An account knows whether its address is its holder's. Of those that exist, nothing tells how they were made. So that
 * no second step is weaker than before, those that have one count as proven, and so do the owners of the default
 * workspace, which the machine's owner made.
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
