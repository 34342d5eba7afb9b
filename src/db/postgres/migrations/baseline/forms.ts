import { text } from "./text.ts"

/** Forms, form responses and consents. */
export const forms = `
CREATE TABLE form (
  id ${text} PRIMARY KEY,
  public_id ${text} NOT NULL UNIQUE,
  project_id ${text} NOT NULL REFERENCES project ON DELETE CASCADE,
  name ${text} NOT NULL,
  fields ${text} NOT NULL,
  consent_text ${text},
  consent_confirmation bigint NOT NULL,
  redirect_url ${text},
  retention_days bigint,
  owner_mail_to ${text},
  owner_mail_contents bigint NOT NULL,
  created_at bigint NOT NULL,
  removed_at bigint
);
CREATE INDEX form_by_project ON form (project_id);

CREATE TABLE form_wording (
  form_id ${text} NOT NULL REFERENCES form ON DELETE CASCADE,
  mark ${text} NOT NULL,
  text ${text} NOT NULL,
  PRIMARY KEY (form_id, mark)
);

CREATE TABLE form_response (
  id ${text} PRIMARY KEY,
  form_id ${text} NOT NULL REFERENCES form ON DELETE CASCADE,
  state ${text} NOT NULL,
  stopped_by ${text},
  field_values ${text} NOT NULL,
  email ${text},
  consent_status ${text},
  consent_text ${text},
  consent_at bigint,
  consent_confirmed_at bigint,
  page ${text} NOT NULL,
  idempotency_hash ${text},
  created_at bigint NOT NULL
);
CREATE INDEX form_response_by_form ON form_response (form_id, state, id);
CREATE INDEX form_response_by_age ON form_response (form_id, created_at);
CREATE UNIQUE INDEX form_response_once ON form_response (form_id, idempotency_hash)
  WHERE idempotency_hash IS NOT NULL;

CREATE TABLE form_response_address (
  address ${text} NOT NULL,
  response_id ${text} NOT NULL REFERENCES form_response ON DELETE CASCADE,
  PRIMARY KEY (address, response_id)
);
CREATE INDEX form_response_address_by_response ON form_response_address (response_id);

CREATE TABLE consent_token (
  hash ${text} PRIMARY KEY,
  response_id ${text} NOT NULL UNIQUE REFERENCES form_response ON DELETE CASCADE,
  expires_at bigint NOT NULL,
  used_at bigint
);

CREATE TABLE recent_visit (
  subject ${text} PRIMARY KEY,
  until double precision NOT NULL
);
CREATE INDEX recent_visit_by_age ON recent_visit (until);

CREATE TABLE form_visit (
  day ${text} NOT NULL,
  visitor ${text} NOT NULL,
  form_id ${text} NOT NULL,
  posts bigint NOT NULL,
  bytes bigint NOT NULL,
  until double precision NOT NULL,
  PRIMARY KEY (day, visitor, form_id)
);

CREATE TABLE form_notice (
  form_id ${text} PRIMARY KEY REFERENCES form ON DELETE CASCADE,
  waiting bigint NOT NULL,
  since bigint NOT NULL
);
`
