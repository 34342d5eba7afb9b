import { integer, orNull, table, text, withDefault } from "./table.ts"

export const mailTables = {
  /** A mail waiting to be sent, committed together with the change that it announces. Deleted once sent. */
  mail: table({
    id: text,
    /** Workspaces take turns. Empty for mails queued before this column existed. */
    workspace_id: withDefault(text, ""),
    /** Id of the object that the mail concerns. Erasing the object also erases the mail. */
    about: orNull(text),
    /**
     * Encrypted JSON: recipient, subject and text (`OutgoingMail` of mail/outbox.ts). The text may contain a
     * secret link.
     */
    sealed: text,
    attempts: integer,
    due_at: integer,
    /** When it was given up: refused for good, or tried for days. */
    failed_at: orNull(integer),
    /** The node that sends it. Once that node is gone, the mail is due at once. */
    node_id: orNull(text),
    created_at: integer,
  }).with({
    indexes: {
      mail_about: { on: ["about"], where: "about IS NOT NULL" },
      mail_due: { on: ["workspace_id", "due_at"], where: "failed_at IS NULL" },
      mail_given_up: { on: ["workspace_id", "failed_at"], where: "failed_at IS NOT NULL" },
      mail_by_age: { on: ["created_at"] },
    },
    hasRowId: true,
  }),
}
