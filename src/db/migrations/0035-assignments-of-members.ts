/** Whoever left a workspace has nothing there any more. What somebody has is found form by form. */
export function assignmentsOfMembers(): string {
  return `
UPDATE form_response SET assignee = NULL WHERE assignee IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM form
  JOIN project ON project.id = form.project_id
  JOIN member ON member.workspace_id = project.workspace_id
  WHERE form.id = form_response.form_id AND member.operator_id = form_response.assignee);
DROP INDEX form_response_by_assignee;
CREATE INDEX form_response_by_assignee ON form_response (assignee, form_id) WHERE assignee IS NOT NULL;
`
}
