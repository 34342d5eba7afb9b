/** Pages that may help, stored with an answer that refuses; greetings and thanks told from questions. */
export const related = `
ALTER TABLE answer ADD COLUMN related TEXT;
ALTER TABLE answer ADD COLUMN courtesy TEXT;
`
