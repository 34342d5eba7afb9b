import { text } from "./text.ts"

/** Endpoints, messages, deliveries and their attempts. */
export const webhooks = `
CREATE TABLE endpoint (
  id ${text} PRIMARY KEY,
  workspace_id ${text} NOT NULL REFERENCES workspace ON DELETE CASCADE,
  url ${text} NOT NULL,
  description ${text} NOT NULL,
  active bigint NOT NULL,
  limited bigint NOT NULL,
  secrets ${text} NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX endpoint_by_workspace ON endpoint (workspace_id, id);

CREATE TABLE endpoint_project (
  endpoint_id ${text} NOT NULL REFERENCES endpoint ON DELETE CASCADE,
  project_id ${text} NOT NULL REFERENCES project ON DELETE CASCADE,
  PRIMARY KEY (endpoint_id, project_id)
);

CREATE TABLE endpoint_form (
  endpoint_id ${text} NOT NULL REFERENCES endpoint ON DELETE CASCADE,
  form_id ${text} NOT NULL REFERENCES form ON DELETE CASCADE,
  PRIMARY KEY (endpoint_id, form_id)
);

CREATE TABLE message (
  id ${text} PRIMARY KEY,
  workspace_id ${text} NOT NULL REFERENCES workspace ON DELETE CASCADE,
  response_id ${text},
  type ${text} NOT NULL,
  payload bytea,
  created_at bigint NOT NULL
);
CREATE INDEX message_by_response ON message (response_id) WHERE response_id IS NOT NULL;

CREATE TABLE delivery (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id ${text} NOT NULL UNIQUE,
  message_id ${text} NOT NULL REFERENCES message ON DELETE CASCADE,
  endpoint_id ${text} NOT NULL,
  state ${text} NOT NULL,
  attempts_made bigint NOT NULL,
  created_at bigint NOT NULL,
  ended_at bigint,
  due_at bigint,
  due_late bigint NOT NULL,
  resend_at bigint,
  resend_late bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE UNIQUE INDEX delivery_by_message ON delivery (message_id, endpoint_id);
CREATE INDEX delivery_by_endpoint ON delivery (endpoint_id, id);
CREATE INDEX delivery_undelivered ON delivery (endpoint_id, state, id) WHERE state IN ('failed', 'cancelled');
CREATE INDEX delivery_due ON delivery (due_late, endpoint_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX delivery_resend ON delivery (resend_late, endpoint_id, resend_at) WHERE resend_at IS NOT NULL;

CREATE TABLE attempt (
  delivery_number bigint NOT NULL REFERENCES delivery ON DELETE CASCADE,
  number bigint NOT NULL,
  kind ${text} NOT NULL,
  at bigint NOT NULL,
  outcome ${text} NOT NULL,
  status bigint,
  duration_ms bigint,
  response_excerpt ${text},
  PRIMARY KEY (delivery_number, number)
);

CREATE TABLE lease (
  holder ${text} PRIMARY KEY,
  until bigint NOT NULL,
  held ${text} NOT NULL
);

CREATE TABLE endpoint_failure (
  endpoint_id ${text} PRIMARY KEY REFERENCES endpoint ON DELETE CASCADE,
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  outcome ${text} NOT NULL,
  status bigint,
  told_at bigint
);
`
