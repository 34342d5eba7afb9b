import { text } from "./text.ts"

/** Feeds, documents, generations and answers. */
export const assistant = `
CREATE TABLE feed (
  id ${text} PRIMARY KEY,
  project_id ${text} NOT NULL REFERENCES project ON DELETE CASCADE,
  kind ${text} NOT NULL,
  address ${text} NOT NULL,
  base_url ${text},
  url_style ${text},
  created_at bigint NOT NULL,
  last_read_at bigint,
  generator ${text},
  generator_found ${text},
  UNIQUE (project_id, kind, address)
);

CREATE TABLE document (
  id ${text} PRIMARY KEY,
  project_id ${text} NOT NULL REFERENCES project ON DELETE CASCADE,
  feed_id ${text} NOT NULL REFERENCES feed ON DELETE CASCADE,
  page ${text} NOT NULL,
  path ${text} NOT NULL,
  url ${text} NOT NULL,
  title ${text} NOT NULL,
  sections ${text} NOT NULL,
  hash ${text} NOT NULL,
  read_at bigint NOT NULL,
  since bigint NOT NULL,
  until bigint,
  UNIQUE (feed_id, page, since)
);
CREATE INDEX document_by_project ON document (project_id, id);
CREATE INDEX document_by_until ON document (project_id, until) WHERE until IS NOT NULL;
CREATE INDEX document_by_since ON document (project_id, since);
CREATE INDEX document_by_url ON document (project_id, url);

CREATE TABLE left_out_page (
  feed_id ${text} NOT NULL REFERENCES feed ON DELETE CASCADE,
  page ${text} NOT NULL,
  reason ${text} NOT NULL,
  detail ${text},
  detail_code ${text},
  detail_params ${text},
  PRIMARY KEY (feed_id, page)
);

CREATE TABLE asked_indexing (
  project_id ${text} NOT NULL REFERENCES project ON DELETE CASCADE,
  request ${text} NOT NULL,
  PRIMARY KEY (project_id, request)
);

CREATE TABLE unfinished_reading (
  project_id ${text} PRIMARY KEY REFERENCES project ON DELETE CASCADE,
  generation bigint NOT NULL,
  begun_at bigint NOT NULL,
  touched_at bigint NOT NULL
);

CREATE TABLE unfinished_page (
  feed_id ${text} NOT NULL REFERENCES feed ON DELETE CASCADE,
  page ${text} NOT NULL,
  outcome ${text} NOT NULL,
  path ${text},
  url ${text},
  reason ${text},
  detail ${text},
  detail_code ${text},
  detail_params ${text},
  PRIMARY KEY (feed_id, page)
);

CREATE TABLE indexing_run (
  project_id ${text} PRIMARY KEY REFERENCES project ON DELETE CASCADE,
  started_at bigint NOT NULL,
  beat_at bigint NOT NULL,
  ended_at bigint,
  phase ${text} NOT NULL,
  done bigint NOT NULL,
  total bigint,
  outcome ${text}
);

CREATE TABLE generation (
  project_id ${text} NOT NULL REFERENCES project ON DELETE CASCADE,
  number bigint NOT NULL,
  recipe ${text} NOT NULL,
  documents bigint NOT NULL,
  passages bigint NOT NULL,
  seal ${text} NOT NULL,
  built_at bigint NOT NULL,
  live bigint NOT NULL,
  replaced_at bigint,
  PRIMARY KEY (project_id, number)
);
CREATE UNIQUE INDEX generation_live ON generation (project_id) WHERE live = 1;

CREATE TABLE passage_vector (
  project_id ${text} NOT NULL REFERENCES project ON DELETE CASCADE,
  model ${text} NOT NULL,
  hash ${text} NOT NULL,
  generation bigint NOT NULL,
  vector bytea NOT NULL,
  pieces bytea NOT NULL DEFAULT '',
  PRIMARY KEY (project_id, model, hash)
);

CREATE TABLE answer (
  id ${text} PRIMARY KEY,
  project_id ${text} NOT NULL REFERENCES project ON DELETE CASCADE,
  question ${text} NOT NULL,
  page ${text},
  status ${text} NOT NULL,
  answer ${text} NOT NULL,
  sources ${text} NOT NULL,
  generation bigint NOT NULL,
  cache_key ${text},
  created_at bigint NOT NULL,
  useful bigint,
  related ${text},
  courtesy ${text}
);
CREATE INDEX answer_by_project ON answer (project_id, id);
CREATE INDEX answer_by_age ON answer (created_at);
CREATE INDEX answer_by_cache_key ON answer (project_id, cache_key, id) WHERE cache_key IS NOT NULL;

CREATE TABLE synonym_group (
  id ${text} PRIMARY KEY,
  project_id ${text} NOT NULL REFERENCES project ON DELETE CASCADE,
  words ${text} NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX synonym_group_of_project ON synonym_group (project_id, id);
`
