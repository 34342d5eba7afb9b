const accents = { a: "àâä", c: "ç", e: "éèêë", i: "îï", o: "ôö", u: "ùûü", y: "ÿ" }
const breaks = [..."'’-.,;:!?()[]/\\@\"«»&+*_\n\r\t"]
const replacements = [
  ...Object.entries(accents).flatMap(([plain, letters]) =>
    [...letters, ...letters.toUpperCase()].map((letter) => [letter, plain] as const),
  ),
  ...breaks.map((sign) => [sign, " "] as const),
]

/** Folded, as far as SQL can. */
const folded = replacements.reduce(
  (text, [sign, plain]) => `replace(${text}, char(${sign.codePointAt(0)}), '${plain}')`,
  "lower(substr(text, 1, 1000))",
)

/**
 * The words of a response stand beside it alone: erasing them from an index took a thousand times as long. Texts
 * that are older than step 25 had been folded by that index only. The new indexes find what a purge deletes.
 */
export const erasable = `
DROP TRIGGER form_response_text_added;
DROP TRIGGER form_response_text_removed;
DROP TABLE form_response_search;
ALTER TABLE form_response_text RENAME TO form_response_text_before;
CREATE TABLE form_response_text (
  response_id TEXT PRIMARY KEY REFERENCES form_response ON DELETE CASCADE,
  text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO form_response_text (response_id, text)
  SELECT response_id, ' ' || CASE WHEN text GLOB '*[^a-z0-9 ]*' THEN ${folded} ELSE substr(text, 1, 3000) END
  FROM form_response_text_before ORDER BY response_id;
DROP TABLE form_response_text_before;

CREATE INDEX consent_token_unused ON consent_token (expires_at) WHERE used_at IS NULL;
CREATE INDEX mail_by_age ON mail (created_at);
CREATE INDEX endpoint_hour_by_age ON endpoint_hour (hour_at);
CREATE INDEX limit_count_by_period ON limit_count (period);
`
