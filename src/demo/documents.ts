import accessibilite from "../../data/demo/accessibilite.md" with { type: "text" }
import api from "../../data/demo/api.md" with { type: "text" }
import assistant from "../../data/demo/assistant.md" with { type: "text" }
import consentement from "../../data/demo/consentement.md" with { type: "text" }
import consoleGuide from "../../data/demo/console.md" with { type: "text" }
import depannage from "../../data/demo/depannage.md" with { type: "text" }
import donneesPersonnelles from "../../data/demo/donnees-personnelles.md" with { type: "text" }
import formulaires from "../../data/demo/formulaires.md" with { type: "text" }
import index from "../../data/demo/index.md" with { type: "text" }
import indexation from "../../data/demo/indexation.md" with { type: "text" }
import installation from "../../data/demo/installation.md" with { type: "text" }
import limites from "../../data/demo/limites.md" with { type: "text" }
import premiersPas from "../../data/demo/premiers-pas.md" with { type: "text" }
import programmes from "../../data/demo/programmes.md" with { type: "text" }
import reglages from "../../data/demo/reglages.md" with { type: "text" }
import reponsesChoisies from "../../data/demo/reponses-choisies.md" with { type: "text" }
import sauvegardes from "../../data/demo/sauvegardes.md" with { type: "text" }
import synonymes from "../../data/demo/synonymes.md" with { type: "text" }
import verifierUneSignature from "../../data/demo/verifier-une-signature.md" with { type: "text" }
import webhooks from "../../data/demo/webhooks.md" with { type: "text" }
import widget from "../../data/demo/widget.md" with { type: "text" }
import wordpress from "../../data/demo/wordpress.md" with { type: "text" }

/** File name without extension → Markdown, in reading order, embedded in the binary. */
export const demoDocuments: Record<string, string> = {
  index,
  installation,
  "premiers-pas": premiersPas,
  console: consoleGuide,
  indexation,
  assistant,
  synonymes,
  "reponses-choisies": reponsesChoisies,
  widget,
  accessibilite,
  wordpress,
  limites,
  formulaires,
  consentement,
  webhooks,
  "verifier-une-signature": verifierUneSignature,
  api,
  programmes,
  reglages,
  sauvegardes,
  "donnees-personnelles": donneesPersonnelles,
  depannage,
}
