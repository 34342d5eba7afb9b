import type { Engine } from "../words.ts"

/** A project says what its site is, and its owner more of how the widget looks. */
export function wordsOfASite(engine: Engine): string {
  const text = engine === "sqlite" ? "TEXT" : 'text COLLATE "C"'
  return `
ALTER TABLE project ADD COLUMN kind_word ${text} NOT NULL DEFAULT 'documentation';
ALTER TABLE project ADD COLUMN no_answer_more ${text};
ALTER TABLE widget_settings ADD COLUMN theme ${text} NOT NULL DEFAULT 'site';
ALTER TABLE widget_settings ADD COLUMN button ${text};
ALTER TABLE widget_settings ADD COLUMN language ${text};
`
}
