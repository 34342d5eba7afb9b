import { expect, test } from "bun:test"
import { extract } from "../../../src/answering/extractive/extract.ts"
import type { Passage } from "../../../src/reading/formats/document.ts"
import { splitDocument } from "../../../src/reading/passages/split-document.ts"
import { rangeUnits } from "../../../src/reading/passages/units.ts"
import { answer, asked, text } from "../../support/extract.ts"
import { passage } from "../../support/passages.ts"

const code = "```sh\nguichet backup copie.db\n\nguichet check\n```"
const backup = passage(
  "sauvegarder",
  "Sauvegarder",
  `La base tient dans un seul fichier. Il grossit de quelques mégaoctets par mois.

Pour copier la base pendant que le service tourne, lancez :

${code}

Le résultat est un fichier complet. Rangez-le sur une autre machine.

Pour en savoir plus, lisez le chapitre suivant.`,
)

test("every quotation stands word for word in the passage it is attributed to", () => {
  for (const question of ["copier la base", "que contient la base ?", "ranger sur une autre machine"])
    for (const { markdown, passages } of answer(question, [backup])) {
      expect(passages).toEqual([backup])
      expect(backup.markdown).toContain(markdown)
    }
})

test("a code block that a sentence introduces comes with it, and is never cut", () => {
  expect(text("comment copier la base ?", [backup])).toContain(`lancez :\n\n${code}`)
  const quoted = answer("guichet check", [backup])
  for (const { markdown } of quoted) expect(markdown.split("```").length % 2).toBe(1)
})

test("a code block too long to read is left out rather than cut", () => {
  const long = `\`\`\`js\n${"appel()\n".repeat(60)}\`\`\``
  const quoted = text("comment appeler ?", [
    passage("appel", "Appeler", `Appelez la fonction une fois. Elle attend.\n\n${long}`),
  ])
  expect(quoted).toContain("Appelez la fonction une fois.")
  expect(quoted).not.toContain("```")
})

test("a sentence that refers to the one before comes with it", () => {
  const quoted = text("perd-on les réponses ?", [
    passage(
      "arret",
      "Arrêt",
      "Le service finit les demandes en cours. Cependant, les réponses perdues sont rares. La mémoire est libérée. Le port est rendu.",
    ),
  ])
  expect(quoted).toStartWith("Le service finit les demandes en cours. Cependant")
})

test("a sentence that refers to the code before it comes with that code", () => {
  const quoted = text("que sera-t-il rendu ?", [
    passage(
      "classes",
      "Classes",
      `${"La liste est écrite une fois pour toutes dans le modèle de la page. ".repeat(6)}\n\nÉcrivez par exemple :\n\n~~~\n<div :class>\n~~~\n\nCeci sera rendu avec deux classes, celles que nomme le tableau au moment où la page est rendue${", puis rendue encore".repeat(20)}.`,
    ),
  ])
  expect(quoted).toContain("~~~\n<div :class>\n~~~")
})

test("a short list is quoted whole, with the line that introduces it, in one block", () => {
  const quoted = answer("quels formats sont lus ?", [
    passage(
      "formats",
      "Formats",
      "Guichet lit trois formats :\n\n- le Markdown\n- le HTML\n- les plans de site",
    ),
  ])
  expect(quoted.map(({ markdown }) => markdown)).toEqual([
    "Guichet lit trois formats :\n\n- le Markdown\n- le HTML\n- les plans de site",
  ])
})

test("a list of bare names comes with the sentence before it", () => {
  const quoted = text("le modificateur prevent", [
    passage(
      "evenements",
      "Événements",
      "Un événement monte jusqu’à la racine. Vue donne des suffixes à ajouter au nom de l’événement.\n\n- `.stop`\n- `.prevent`\n- `.self`",
    ),
  ])
  expect(quoted).toContain("Vue donne des suffixes à ajouter au nom de l’événement.\n\n- `.stop`")
})

test("a list whose bullets Markdown does not read is quoted whole, though each line is a paragraph", () => {
  const steps = [
    "Ouvrez la page du service",
    "Cliquez sur le lien Inscription",
    "Remplissez votre profil",
  ].map((step) => `${step}, en bas de la colonne de gauche, puis attendez que le voyant soit vert`)
  const quoted = text("lien inscription", [
    passage("avis", "Avis", `Voici comment faire.\n\n${steps.map((step) => `\\- ${step}`).join("\n\n")}`),
  ])
  for (const step of steps) expect(quoted).toContain(step)
})

test("a sentence about one of these things comes with the sentence that says which", () => {
  const quoted = text("combien de courriels par jour dans une boîte", [
    passage(
      "confirmation",
      "Confirmation",
      "La personne reçoit un message avec un lien à ouvrir.\n\nUne boîte reçoit au plus cinq de ces courriels par jour.",
    ),
  ])
  expect(quoted).toStartWith("La personne reçoit un message")
})

test("a list whose last item introduces code is not quoted without that code", () => {
  const server = (lines: number) => [
    passage(
      "serveur",
      "Serveur",
      `Un serveur répond aux visiteurs.

- Installez le paquet du serveur.
- Créez le fichier du serveur que voici, dans le dossier du serveur :

\`\`\`sh
${"touch\n".repeat(lines)}\`\`\``,
    ),
  ]
  expect(text("comment créer le fichier du serveur ?", server(2))).toEndWith("```")
  expect(text("comment créer le fichier du serveur ?", server(40))).not.toContain("que voici")
})

test("emphasis, links and code are never split", () => {
  const markdown =
    "Réglez **le port. Et l'hôte.** Voyez `a. B. c()` pour cela. La (deuxième. Troisième) phrase suit. Fin du texte."
  for (const { markdown: quoted } of answer("port hôte phrase", [passage("port", "Port", markdown)])) {
    expect(quoted.match(/\*\*/g)?.length ?? 0).toBeOneOf([0, 2])
    expect(quoted.match(/`/g)?.length ?? 0).toBeOneOf([0, 2])
  }
})

test("code that an item begins with ends with the item", () => {
  const markdown = "- ```sh\n  un\n\n  deux\n  ```\n- Fin.\n\nUn paragraphe.\n\nUn autre."
  expect(
    rangeUnits(markdown, 0, markdown.length, "fr").map(({ kind, codeLines }) => [kind, codeLines]),
  ).toEqual([
    ["item", 5],
    ["item", 0],
    ["sentence", 0],
    ["sentence", 0],
  ])
})

test("a section whose heading names what is asked comes before one that only mentions it", () => {
  const mention = passage(
    "courriels",
    "Courriels",
    "Configurez le serveur de courriels. Guichet attend une adresse et un mot de passe pour envoyer.",
    ["Configurer l’envoi"],
  )
  const nginx = passage(
    "installer",
    "Installer",
    "Transmettez l’adresse du visiteur, sinon tous seront comptés comme un seul :\n\n```\nproxy_pass http://127.0.0.1:3000;\n```",
    ["Placer nginx devant Guichet"],
  )
  expect(text("comment configurer nginx devant guichet ?", [nginx, mention])).toStartWith("Transmettez")
})

test("who asks in the words of a heading gets what stands under it, and nothing that only repeats the words", () => {
  const section = (heading: string, markdown: string) => ({
    headings: [heading],
    anchor: heading,
    markdown,
  })
  const [create, others] = splitDocument({
    path: "factures",
    url: "https://docs.example.fr/factures",
    title: "Factures et devis",
    sections: [
      section(
        "Créer une facture",
        "Cliquez sur **Nouvelle facture**, choisissez un client, ajoutez les lignes puis **Valider**. Une facture validée reçoit son numéro et ne peut plus être modifiée : faites un avoir.",
      ),
      section(
        "Faire un avoir",
        "Ouvrez la facture, puis **Actions**, **Créer un avoir**. Il est total ou partiel.",
      ),
      section("Transformer un devis", "Ouvrez le devis accepté, puis **Transformer en facture**."),
    ],
  }) as [Passage, Passage]
  expect(others.sections).toHaveLength(2)
  expect(text("comment créer une facture ?", [others, create])).toBe(create.markdown)
  expect(text("comment faire un avoir ?", [create, others])).toContain("puis **Actions**")
})

test("a text that the documentation has twice is quoted once", () => {
  const twice = passage("copie", "Sauvegarder", backup.markdown)
  expect(new Set(answer("copier la base", [backup, twice]).flatMap(({ passages }) => passages)).size).toBe(1)
})

test("another page is quoted beside the first only where it holds as much and is as near", () => {
  const quoted = (nearness: number, other: string) => {
    const pages = [
      passage("copie", "Copier", "Chaque nuit, la base est copiée sur une autre machine."),
      passage("autre", "Autre", other),
    ]
    const [first] = extract({
      ...asked("copier la base la nuit", pages),
      found: pages.map((passage, at) => ({
        passage,
        row: at,
        score: 1 - at / 50,
        words: 10,
        meaning: undefined,
        unitNearness: [at === 0 ? 0.8 : nearness],
      })),
    }).quotations
    return first?.pieces().length
  }
  const other = "Pour copier la base la nuit, réglez aussi la durée de garde des fichiers."
  expect(quoted(0.8, other)).toBe(2)
  expect(quoted(0.5, other)).toBe(1)
  expect(quoted(0.8, "Réglez la durée de garde des fichiers de la base.")).toBe(1)
})

test("a line that presents what follows is not quoted without it", () => {
  const guide = passage(
    "guide",
    "Guide",
    `La visite guidée du fort dure une heure. En voici les étapes.\n\n\`\`\`\n${"pas\n".repeat(60)}\`\`\``,
  )
  expect(text("les étapes de la visite guidée", [guide])).toBe("La visite guidée du fort dure une heure.")
})

test("a quotation whose list goes on says so, another one does not", () => {
  const rule = (at: number) => `- règle ${at} du jardin${", et encore".repeat(30)} ;`
  const list = (items: number) =>
    passage("regles", "Règles", Array.from({ length: items }, (_, at) => rule(at)).join("\n"))
  expect(answer("règle du jardin", [list(2)])[0]?.isCut).toBeUndefined()
  expect(answer("règle du jardin", [list(12)])[0]?.isCut).toBeTrue()
})

test("a line that only refers to another page is not quoted", () => {
  expect(text("lire le chapitre suivant pour en savoir plus", [backup])).not.toContain("chapitre suivant")
})

test("earlier questions help to choose what is quoted", () => {
  const both = passage(
    "cles",
    "Fichiers",
    `${"Le journal est écrit ligne à ligne dans la sortie du service et se range de lui-même chaque nuit. ".repeat(2)}

${"La clé secrète est rangée dans un fichier que seul le service peut lire sur cette machine. ".repeat(2)}`,
  )
  const question = "et où est-ce rangé ?"
  expect(text(question, [both], ["où est écrite la clé secrète ?"])).toContain("clé secrète")
  expect(text(question, [both], ["où est écrit le journal ?"])).toContain("journal")
})

test("no passage gives no answer", () => {
  expect(answer("copier la base", [])).toEqual([])
})

test("an answer to a question of the documentation is quoted with that question", () => {
  const passages = splitDocument({
    path: "paiement",
    url: "https://docs.exemple.fr/paiement",
    title: "Payer",
    sections: [
      {
        headings: ["Peut-on payer en plusieurs fois ?"],
        anchor: null,
        markdown: "Non. Nous acceptons la carte bancaire, les espèces et le chèque.",
      },
    ],
  })
  expect(text("acceptez-vous la carte bancaire ?", passages)).toBe(
    "**Peut-on payer en plusieurs fois ?**\n\nNon. Nous acceptons la carte bancaire, les espèces et le chèque.",
  )
})

test("a question in bold comes with its answer", () => {
  const faq = passage(
    "compte",
    "Compte",
    "**Comment activer la double authentification ?**\n\nScannez le code affiché.\n\n" +
      "**Comment désactiver la double authentification ?**\n\nCliquez sur Désactiver dans votre profil.",
  )
  expect(text("désactiver la double authentification", [faq])).toContain(
    "**Comment désactiver la double authentification ?**\n\nCliquez sur Désactiver dans votre profil.",
  )
})

test("a quotation that begins with a question in bold ends before the next one", () => {
  const faq = passage(
    "faq",
    "Questions",
    "**Où se garer ?**\n\nDevant la salle, le parking est gratuit.\n\n**Où se garer avec un bus ?**\n\nDerrière la salle.",
  )
  expect(text("où se garer, le parking est-il gratuit ?", [faq])).toBe(
    "**Où se garer ?**\n\nDevant la salle, le parking est gratuit.",
  )
})

test("an item of a long list comes with the line that says what is listed", () => {
  const items = ["armes", "pétards", "barbecues"].map(
    (thing) => `- les ${thing} ${"de toute sorte, neufs ou anciens, ".repeat(6)}même rangés ;`,
  )
  const rules = passage(
    "reglement",
    "Règlement",
    `Il est strictement interdit d’apporter :\n\n${items.join("\n")}`,
  )
  const quoted = text("pétards", [rules])
  expect(quoted).toStartWith("Il est strictement interdit d’apporter :\n")
  expect(quoted).toContain("les pétards")
})

test("a procedure is quoted to its last step", () => {
  const steps = Array.from(
    { length: 9 },
    (_, at) => `${at + 1}. Faites ce que dit l’étape ${at + 1}, puis vérifiez que le voyant est bien vert.`,
  )
  const tent = passage("tente", "Tente", `Pour monter la tente, suivez ces étapes :\n\n${steps.join("\n")}`)
  const quoted = text("comment monter la tente ?", [tent])
  for (const step of steps) expect(quoted).toContain(step)
})
