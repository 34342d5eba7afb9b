// biome-ignore lint/suspicious/noEmptyInterface: filled by the webhooks part
export interface WebhookTables {}
