import type { Engine } from "../words.ts"

/** Each kind of feed declares its settings; they stand in one column, as JSON without what is not set. */
export function settingsOfFeeds(engine: Engine): string {
  const usualCrawl = `'{"depth":10,"pages":2000,"parameters":[]}'`
  const [text, settings] =
    engine === "sqlite"
      ? [
          "TEXT",
          `json_patch('{}', json_object(
  'include', patterns -> '$.include', 'exclude', patterns -> '$.exclude',
  'documents', CASE documents WHEN 1 THEN json('true') END,
  'baseUrl', CASE WHEN kind IN ('dir', 'git') THEN coalesce(base_url, '') END,
  'urlStyle', CASE WHEN kind IN ('dir', 'git') THEN coalesce(url_style, 'clean') END,
  'generator', generator, 'pages', json(pages),
  'crawl', CASE kind WHEN 'crawl' THEN json_patch(${usualCrawl}, coalesce(crawl, '{}')) END))`,
        ]
      : [
          'text COLLATE "C"',
          `jsonb_strip_nulls(jsonb_build_object(
  'include', patterns::jsonb -> 'include', 'exclude', patterns::jsonb -> 'exclude',
  'documents', CASE documents WHEN 1 THEN true END,
  'baseUrl', CASE WHEN kind IN ('dir', 'git') THEN coalesce(base_url, '') END,
  'urlStyle', CASE WHEN kind IN ('dir', 'git') THEN coalesce(url_style, 'clean') END,
  'generator', generator, 'pages', pages::jsonb,
  'crawl', CASE kind WHEN 'crawl' THEN ${usualCrawl}::jsonb || coalesce(crawl, '{}')::jsonb END))::text`,
        ]
  const old = ["base_url", "url_style", "generator", "patterns", "pages", "documents", "crawl"]
  return `
ALTER TABLE feed ADD COLUMN settings ${text} NOT NULL DEFAULT '{}';
UPDATE feed SET settings = ${settings};
${old.map((column) => `ALTER TABLE feed DROP COLUMN ${column};`).join("\n")}
`
}
