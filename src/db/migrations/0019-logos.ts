import type { Engine } from "../words.ts"

/** Pages about a project's forms show a logo of its site. */
export function logos(engine: Engine): string {
  return `ALTER TABLE widget_settings ADD COLUMN logo ${engine === "sqlite" ? "TEXT" : 'text COLLATE "C"'};`
}
