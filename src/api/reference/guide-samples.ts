import { verificationCode } from "../../wording/verification-code.ts"

export type GuideCode = Readonly<Partial<Record<"curl" | "js", string>>>

/** Code of the guides, which calls the service at its own address. */
export const guideSamples = (publicUrl: string) =>
  ({
    ask: {
      curl: `curl ${publicUrl}/api/v1/ask \\
  -H 'Origin: https://docs.example.fr' -H 'Content-Type: application/json' \\
  -d '{"project":"k3v9x2m7q1w8t5z0","question":"Comment exporter mes données ?"}'`,
      js: `const reponse = await fetch("${publicUrl}/api/v1/ask", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ project: "k3v9x2m7q1w8t5z0", question: "Comment exporter mes données ?" }),
})
const { id, status, answer, sources, error } = await reponse.json()`,
    },
    newForm: {
      curl: `curl ${publicUrl}/api/v1/forms \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"project":"k3v9x2m7q1w8t5z0","name":"Contact","fields":[
    {"name":"email","label":"Votre adresse e-mail","type":"email","required":true},
    {"name":"message","label":"Votre message","type":"textarea"}]}'`,
      js: `const reponse = await fetch("${publicUrl}/api/v1/forms", {
  method: "POST",
  headers: { authorization: \`Bearer \${jeton}\`, "content-type": "application/json" },
  body: JSON.stringify({
    project: "k3v9x2m7q1w8t5z0",
    name: "Contact",
    fields: [
      { name: "email", label: "Votre adresse e-mail", type: "email", required: true },
      { name: "message", label: "Votre message", type: "textarea" },
    ],
  }),
})
const { id, action } = await reponse.json()`,
    },
    post: {
      js: `await fetch(action, {
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json" },
  body: JSON.stringify({ email: "camille@example.fr", message: "Bonjour" }),
})`,
    },
    newEndpoint: {
      curl: `curl ${publicUrl}/api/v1/endpoints \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"url":"https://hooks.example.fr/guichet"}'`,
      js: `const reponse = await fetch("${publicUrl}/api/v1/endpoints", {
  method: "POST",
  headers: { authorization: \`Bearer \${jeton}\`, "content-type": "application/json" },
  body: JSON.stringify({ url: "https://hooks.example.fr/guichet" }),
})
const { id, secret } = await reponse.json()`,
    },
    verify: { js: verificationCode.js },
  }) satisfies Record<string, GuideCode>
