/** The demo's form in the API's shape: fields of the usual types, and a consent that is confirmed by mail. */
export const demoForm = {
  name: "Contact",
  fields: [
    { name: "nom", label: "Votre nom", type: "text", required: true },
    { name: "email", label: "Votre adresse e-mail", type: "email", required: true },
    {
      name: "sujet",
      label: "Sujet",
      type: "select",
      required: true,
      options: [
        { value: "question", label: "Une question" },
        { value: "idee", label: "Une idée" },
        { value: "autre", label: "Autre chose" },
      ],
    },
    { name: "message", label: "Votre message", type: "textarea", required: true },
  ],
  consent: { text: "J’accepte de recevoir la lettre d’information.", confirmation: true },
}
