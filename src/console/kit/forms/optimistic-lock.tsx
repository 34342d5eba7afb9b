import { Refusal, statusOfCode } from "../../../base/errors.ts"
import { sha256 } from "../../../base/hash.ts"
import { useSubmitted } from "../page-context.ts"
import { words } from "../words.fr.ts"

/** Hidden field with the version of the record that the page showed (optimistic locking). */
const versionField = "guichet_seen"

/** After a conflict the field takes the current version: saving again overwrites the other change on purpose. */
export function VersionField({ record }: { record: object }) {
  const { values, status } = useSubmitted()
  const submittedVersion = status === statusOfCode.conflict ? null : values.get(versionField)
  return <input type="hidden" name={versionField} value={submittedVersion ?? recordVersion(record)} />
}

/** Throws Refusal `conflict` if the record changed since the page was rendered. */
export function requireUnchanged(values: URLSearchParams, record: object): void {
  const shownVersion = values.get(versionField)
  if (shownVersion !== null && shownVersion !== recordVersion(record))
    throw new Refusal("conflict", words.changedMeanwhile)
}

function recordVersion(record: object): string {
  return sha256(JSON.stringify(record)).slice(0, 16)
}
