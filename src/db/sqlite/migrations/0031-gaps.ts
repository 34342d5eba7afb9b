/** Questions without an answer by the owner's mark: however many were treated, none of them is walked over. */
export const gaps = `
DROP INDEX answer_unanswered;
CREATE INDEX answer_open_gap ON answer (id, project_id)
  WHERE status = 'no_answer' AND courtesy IS NULL AND gap IS NULL;
CREATE INDEX answer_open_gap_of_project ON answer (project_id, id)
  WHERE status = 'no_answer' AND courtesy IS NULL AND gap IS NULL;
CREATE INDEX answer_off_topic ON answer (id, project_id)
  WHERE status = 'no_answer' AND courtesy IS NULL AND gap = 'off_topic';
`
