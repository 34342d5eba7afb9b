import { text } from "./baseline/text.ts"

/** As in the step of SQLite. Its texts are all folded. */
export const erasable = `
ALTER TABLE form_response_text RENAME TO form_response_text_before;
CREATE TABLE form_response_text_now (
  response_id ${text} PRIMARY KEY REFERENCES form_response ON DELETE CASCADE,
  text ${text} NOT NULL
);
INSERT INTO form_response_text_now (response_id, text)
  SELECT response_id, ' ' || left(text, 3000) FROM form_response_text_before;
DROP TABLE form_response_text_before;
ALTER TABLE form_response_text_now RENAME TO form_response_text;

CREATE INDEX consent_token_unused ON consent_token (expires_at) WHERE used_at IS NULL;
CREATE INDEX mail_by_age ON mail (created_at);
CREATE INDEX endpoint_hour_by_age ON endpoint_hour (hour_at);
CREATE INDEX limit_count_by_period ON limit_count (period);
`
