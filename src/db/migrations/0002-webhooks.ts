/** Endpoints, messages, deliveries and attempts. */
export const webhooks = `SELECT 1;`
