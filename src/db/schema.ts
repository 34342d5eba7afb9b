import type { AssistantTables } from "./tables/assistant.ts"
import type { FormTables } from "./tables/forms.ts"
import type { MailTables } from "./tables/mail.ts"
import type { OperatorTables } from "./tables/operators.ts"
import type { ScriptTables } from "./tables/scripts.ts"
import type { WebhookTables } from "./tables/webhooks.ts"
import type { WorkspaceTables } from "./tables/workspaces.ts"

/**
 * Every table of the database, as Kysely types its queries. Times are integer milliseconds, switches 0 or 1.
 */
export interface Schema
  extends WorkspaceTables,
    OperatorTables,
    AssistantTables,
    FormTables,
    MailTables,
    WebhookTables,
    ScriptTables {
  /** One row, rewritten to see whether the disk still takes writes. */
  probe: { writes: number }
  /** One row: something sealed with the key that every secret of this database is sealed with. */
  key_proof: { id: 1; sealed: string }
}
