export interface MailTables {
  mail: Mail
}

/** A mail waiting to be sent, committed together with the change that it announces. Deleted once sent. */
interface Mail {
  id: string
  /** Workspaces take turns. Empty for mails queued before this column existed. */
  workspace_id: string
  /** Id of the object that the mail concerns. Erasing the object also erases the mail. */
  about: string | null
  /**
   * Encrypted JSON: recipient, subject and text (`OutgoingMail` of mail/outbox.ts). The text may contain a
   * secret link.
   */
  sealed: string
  attempts: number
  due_at: number
  /** When it was given up: refused for good, or tried for days. */
  failed_at: number | null
  /** The node that sends it. Once that node is gone, the mail is due at once. */
  node_id: string | null
  created_at: number
}
