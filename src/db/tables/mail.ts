export interface MailTables {
  mail: Mail
}

/** A mail that waits to be sent, committed together with what it tells about; a sent one is deleted. */
interface Mail {
  id: string
  /** Whose mail it is: each workspace has its turn. Empty for what was queued before this was kept. */
  workspace_id: string
  /** Id of what it is about: erased together with it. */
  about: string | null
  /**
   * Encrypted JSON: who, subject and text (`OutgoingMail` of mail/outbox.ts). It may hold a link that is
   * nobody else's to follow.
   */
  sealed: string
  attempts: number
  due_at: number
  /** Given up: refused for good, or tried for days. */
  failed_at: number | null
  created_at: number
}
