import type { Engine } from "../words.ts"

/** Several addresses are told about a form's responses. The one of before got mails already: it counts as confirmed. */
export function noticeAddresses(engine: Engine): string {
  return `
ALTER TABLE form RENAME COLUMN owner_mail_to TO notify;
ALTER TABLE form RENAME COLUMN owner_mail_contents TO notify_contents;
${byEngine[engine]}
CREATE INDEX notice_token_by_form ON notice_token (form_id);
CREATE INDEX notice_token_by_expiry ON notice_token (expires_at);
`
}

const byEngine: Record<Engine, string> = {
  sqlite: `
UPDATE form SET notify = json_array(json_object('to', notify, 'confirmedAt', created_at))
  WHERE notify IS NOT NULL;
CREATE TABLE notice_token (hash TEXT NOT NULL, form_id TEXT NOT NULL REFERENCES form ON DELETE CASCADE,
  address TEXT NOT NULL, expires_at INTEGER NOT NULL, PRIMARY KEY (hash)) STRICT, WITHOUT ROWID;`,
  postgres: `
UPDATE form SET notify = json_build_array(json_build_object('to', notify, 'confirmedAt', created_at))::text
  WHERE notify IS NOT NULL;
CREATE TABLE notice_token (hash text COLLATE "C" NOT NULL,
  form_id text COLLATE "C" NOT NULL REFERENCES form ON DELETE CASCADE,
  address text COLLATE "C" NOT NULL, expires_at bigint NOT NULL, PRIMARY KEY (hash));`,
}
