// biome-ignore lint/suspicious/noEmptyInterface: filled by the forms part
export interface FormTables {}
