import type { AssistantTables } from "./tables/assistant.ts"
import type { FormTables } from "./tables/forms.ts"
import type { MailTables } from "./tables/mail.ts"
import type { OperatorTables } from "./tables/operators.ts"
import type { WebhookTables } from "./tables/webhooks.ts"
import type { WorkspaceTables } from "./tables/workspaces.ts"

/** Every table of the database, for Kysely. Times are integer milliseconds since 1970, booleans 0 or 1. */
export interface Schema
  extends WorkspaceTables,
    OperatorTables,
    AssistantTables,
    FormTables,
    MailTables,
    WebhookTables {
  script: KeptScript
  /** One row, updated to check that the disk still accepts writes. */
  probe: { writes: number }
  /** One row: a text sealed with the key that seals every secret of this database. */
  key_proof: { id: 1; sealed: string }
}

/** A version of a browser script that a page may name by its hash. It stays available after an update. */
interface KeptScript {
  name: string
  hash: string
  text: string
  created_at: number
}
