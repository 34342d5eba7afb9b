/** The lines of a workspace with one form, which has this field, and so many responses with this value of it. */
export function workspaceFile(
  field: { name: string; type: "email" | "textarea" },
  { value, responses }: { value: string; responses: number },
): string {
  const response = {
    form: "f",
    state: "received",
    stopped_by: null,
    values: [{ name: field.name, value }],
    email: field.type === "email" ? value : null,
    consent: null,
    page: "https://mairie.fr/",
    created_at: "2026-01-01T00:00:00.000Z",
    read_at: null,
  }
  const lines = [
    { workspace: { version: 2, name: "Client" } },
    { project: { id: "p", name: "Mairie", site: "https://mairie.fr" } },
    { form: { id: "f", project: "p", name: "Contact", fields: [{ ...field, label: "Texte" }] } },
    ...Array.from({ length: responses }, () => ({ response })),
    { end: {} },
  ]
  return lines.map((line) => JSON.stringify(line)).join("\n")
}
