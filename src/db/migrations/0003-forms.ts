/** Forms, form responses and consents. */
export const forms = `SELECT 1;`
