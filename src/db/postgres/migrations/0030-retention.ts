/** As in the step of SQLite. */
export const retention = `
INSERT INTO journal_entry (id, workspace_id, actor_kind, actor_id, actor_name, action, subject, subject_name, at)
  SELECT 'jrn_' || lpad(to_hex(now_ms), 12, '0') || substr(md5(random()::text || form.id), 1, 20),
    project.workspace_id, 'service', 'service', 'Guichet', 'form.retention_raised', form.id, form.name, now_ms
  FROM form JOIN project ON project.id = form.project_id
    CROSS JOIN (SELECT (extract(epoch FROM now()) * 1000)::bigint AS now_ms) AS clock
  WHERE form.retention_days < 2 AND form.removed_at IS NULL;
UPDATE form SET retention_days = 2 WHERE retention_days < 2;
`
