/** Whether a project's answers are written by the service's language model, where it has one. */
export const answers = `
ALTER TABLE project ADD COLUMN answers TEXT NOT NULL DEFAULT 'written';
`
