/** A form that kept its responses for one day gets two: the last attempt of a delivery comes after 27 h 35. */
export const retention = `
INSERT INTO journal_entry (id, workspace_id, actor_kind, actor_id, actor_name, action, subject, subject_name, at)
  SELECT 'jrn_' || printf('%012x', unixepoch() * 1000) || lower(hex(randomblob(10))), project.workspace_id,
    'service', 'service', 'Guichet', 'form.retention_raised', form.id, form.name, unixepoch() * 1000
  FROM form JOIN project ON project.id = form.project_id
  WHERE form.retention_days < 2 AND form.removed_at IS NULL;
UPDATE form SET retention_days = 2 WHERE retention_days < 2;
`
