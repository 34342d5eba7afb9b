/** How a project's answers are made: written by the service's language model, or extractive. */
export const answers = `
ALTER TABLE project ADD COLUMN answers TEXT NOT NULL DEFAULT 'written';
`
