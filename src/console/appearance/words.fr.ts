import { secondMs } from "../../base/clock.ts"

const percent = (share: number) => share.toLocaleString("fr", { style: "percent" })

export const words = {
  title: "Apparence",
  intro:
    "La fenêtre de questions telle que vos visiteurs la voient. Un changement paraît sur le site en une minute, sans toucher à ses pages.",
  installation: "Installation",
  snippet: "À coller dans chaque page du site, avant </body>",
  seen: (agoMs: number) => `installé, vu ${inTheLast(agoMs)}`,
  unseen: "pas encore vu",
  unseenHint:
    "Dès qu’une page d’un site déclaré charge la fenêtre, cela se voit ici. Une ancienne version, gardée dans vos pages, fonctionne mais ne se signale pas.",
  look: "Titre et couleur",
  further: "Introduction, logo, thème, bouton et autres choix",
  fields: {
    title: {
      label: "Titre",
      hint: "En haut de la fenêtre. Vide\u00a0: «\u00a0Questions sur ce site\u00a0», ou le nom que les réglages du projet donnent au site.",
    },
    introduction: {
      label: "Introduction",
      hint: "Montrée avant la première question.",
    },
    color: {
      label: "Couleur",
      hint: "Celle du bouton et des liens. Le texte posé dessus devient blanc ou noir, selon ce qui se lit le mieux.",
    },
    logo: {
      label: "Logo",
      hint: "URL d’une image de votre site, affichée sur les pages de vos formulaires, jamais dans les e-mails.",
    },
    look: {
      label: "Apparence",
      hint: "Celle de la fenêtre, des formulaires et de leurs pages.",
    },
    state_site: {
      label: "Je confirme que ce site est un site de l’État",
      hint: "À cocher pour choisir le DSFR. Ses conditions d’utilisation le réservent aux administrations centrales, délégations interministérielles, préfectures, ambassades, services déconcentrés et opérateurs de l’État, et à qui travaille pour eux. Collectivités territoriales et acteurs privés ne peuvent pas l’employer\u202f; un nouveau site, ou sa refonte, demande l’agrément du Service d’information du Gouvernement.",
    },
    theme: {
      label: "Thème",
      hint: "«\u00a0Celui du site\u00a0» suit ses pages (color-scheme)\u202f; si elles n’en disent rien, c’est celui du visiteur.",
    },
    button: {
      label: "Texte du bouton",
      hint: "Vide\u00a0: «\u00a0Poser une question\u00a0».",
    },
    language: {
      label: "Langue de la fenêtre",
    },
    position: {
      label: "Place du bouton",
    },
    search: {
      label: "Commencer par une recherche de pages",
      hint: "La fenêtre montre les pages trouvées pendant que le visiteur tape, puis propose d’interroger l’assistant. Ctrl\u00a0+\u00a0K (⌘\u00a0K) l’ouvre aussi. Rien de ce qui est tapé n’est gardé, ni compté.",
    },
  },
  looks: { guichet: "celle de Guichet", dsfr: "système de design de l’État (DSFR)" },
  stateLook:
    "Le système de design de l’État a ses propres couleurs, qui remplacent la vôtre, sans la police Marianne ni le bloc marque.",
  themes: { site: "celui du site", light: "clair", dark: "sombre" },
  languages: { "": "celle de la page", fr: "français", en: "anglais" },
  positions: { right: "en bas à droite", left: "en bas à gauche" },
  ratio: (ratio: number) =>
    `Contraste du texte sur cette couleur\u00a0: ${ratio.toLocaleString("fr", { maximumFractionDigits: 1 })}\u00a0pour 1.`,
  suggestions: "Questions proposées",
  suggestionsHint:
    "Trois au plus, que le visiteur choisit au lieu d’écrire. Laissez vide pour n’en proposer aucune.",
  suggestion: (number: number) => `Question ${number}`,
  frequent: "Souvent posées, et avec une réponse",
  frequentHint:
    "Ce sont les mots de vos visiteurs\u00a0: aucune n’est montrée tant que vous ne l’avez pas cochée.",
  contact: "Nous écrire",
  contactHint:
    "Sans réponse, après «\u00a0pas utile\u00a0» ou quand l’assistant ne peut pas répondre, le visiteur peut vous écrire par ce formulaire, dans la fenêtre, avec sa question déjà remplie.",
  contactForm: "Formulaire, et champ qui reçoit la question",
  noContact: "aucun",
  inField: (form: string, field: string) => `${form}\u00a0: dans «\u00a0${field}\u00a0»`,
  withoutField: (form: string) => `${form}\u00a0: sans reprendre la question`,
  checkHint:
    "Avant l’envoi, le visiteur voit une fois ce que le site ou l’une de vos réponses répond au texte de ce champ, dans la fenêtre comme sur vos pages. Ce texte ne quitte pas ce serveur, n’est pas gardé et ne compte pas comme une question.",
  noForm: "Ce projet n’a pas encore de formulaire.",
  toForms: "Créer un formulaire",
  offered: "Réponses montrées avant l’envoi",
  solved: "Messages évités",
  share: "Part",
  shareOf: (solved: number, offered: number) => percent(offered === 0 ? 0 : solved / offered),
  counted: "Sur les 30 derniers jours.",
  preview: "Aperçu",
  previewHint:
    "C’est la vraie fenêtre\u00a0: ouvrez-la par son bouton. Ici, elle ne répond pas aux questions.",
  previewPage: "Une page de votre site",
  previewOnly: "Ceci est un aperçu\u00a0: les questions s’essaient dans «\u00a0Essayer une question\u00a0».",
  previewScript: "L’aperçu demande que JavaScript soit permis dans ce navigateur.",
  saved: "L’apparence est enregistrée.",
}

/** `il y a 2 minutes` */
function inTheLast(agoMs: number): string {
  const format = new Intl.RelativeTimeFormat("fr", { style: "short" })
  const seconds = Math.max(0, Math.round(agoMs / secondMs))
  if (seconds < 60) return "à l’instant"
  if (seconds < 3600) return format.format(-Math.floor(seconds / 60), "minute")
  if (seconds < 86_400) return format.format(-Math.floor(seconds / 3600), "hour")
  return format.format(-Math.floor(seconds / 86_400), "day")
}
