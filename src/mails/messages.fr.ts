/** The mails of the service, in French. */
export const messages = {
  consentMailSubject: ({ form }: { form: string }) => `Confirmez votre accord\u00a0: ${form}`,
  consentMail: ({ form, text, link }: { form: string; text: string; link: string }) =>
    `Bonjour,\n\nVous venez de remplir le formulaire «\u00a0${form}\u00a0» et de donner cet accord\u00a0:\n\n«\u00a0${text}\u00a0»\n\nPour le confirmer, ouvrez cette page et appuyez sur le bouton\u00a0:\n${link}\n\nLe lien est valable 7 jours. Si cette demande ne vient pas de vous, ne faites rien\u00a0: votre accord ne sera pas retenu.\n`,
  ownerMailSubject: ({ form }: { form: string }) => `Nouvelle réponse\u00a0: ${form}`,
  ownerMail: ({ form, link }: { form: string; link: string }) =>
    `Bonjour,\n\nLe formulaire «\u00a0${form}\u00a0» a reçu une nouvelle réponse.\n\nPour la lire\u00a0:\n${link}\n`,
  ownerMailValue: ({ label, value }: { label: string; value: string }) => `${label}\u00a0:\n${value}\n`,
  ownerMailCut: "La suite de ce texte se lit dans la console.",
  ownerMailGatheredSubject: ({ form, count }: { form: string; count: number }) =>
    `Nouvelles réponses (${count})\u00a0: ${form}`,
  ownerMailGathered: ({ form, count, link }: { form: string; count: number; link: string }) =>
    `Bonjour,\n\nNombre de nouvelles réponses au formulaire «\u00a0${form}\u00a0»\u00a0: ${count}. Comme il en est venu beaucoup en peu de temps, elles vous sont annoncées ensemble.\n\nPour les lire\u00a0:\n${link}\n`,
  emptyValue: "(vide)",

  failingMailSubject: "Une adresse de webhook ne répond plus",
  failingMailSubjects: ({ count }: { count: number }) => `${count} adresses de webhook ne répondent plus`,
  failingMailEndpoint: ({ url, answer, since }: { url: string; answer: string; since: string }) =>
    `Depuis le ${since}, tous les envois à cette adresse échouent\u00a0:\n${url}\n\nDernier résultat\u00a0: ${answer}.\n`,
  failingMail: ({ endpoints, publicUrl }: { endpoints: string; publicUrl: string }) =>
    `Bonjour,\n\n${endpoints}\nRien n’est désactivé\u00a0: Guichet continue d’essayer. Corrigez ou désactivez ce qui ne répond plus dans la console, page Webhooks\u00a0:\n${publicUrl}/console\n`,

  gapsSubject: (count: number, site: string) =>
    `${questionsOf(count)} sans réponse cette semaine\u00a0: ${site}`,
  gap: (question: string, times: number) => `- ${question} (${times.toLocaleString("fr")}\u00a0fois)`,
  gaps: ({ site, lines, link }: { site: string; lines: string; link: string }) =>
    `Bonjour,\n\nVoici ce que des visiteurs de «\u00a0${site}\u00a0» ont demandé depuis le dernier message, et que la documentation ne dit pas\u00a0:\n\n${lines}\n\nPour y répondre, les marquer comme traitées ou les écarter\u00a0:\n${link}\n\nVous recevez ce message le lundi, parce que votre adresse est cochée sur cette page.\n`,
  moreGaps: (count: number) => `… et ${count.toLocaleString("fr")} de plus.`,
  evaluationSubject: (site: string) => `L’évaluation a baissé\u00a0: ${site}`,
  evaluation: ({
    site,
    passed,
    total,
    lost,
    link,
  }: {
    site: string
    passed: number
    total: number
    lost: number
    link: string
  }) =>
    `Bonjour,\n\nAprès la dernière lecture de la documentation, l’assistant de «\u00a0${site}\u00a0» répond comme prévu à ${passed.toLocaleString("fr")} des ${questionsOf(total)} de l’évaluation, soit ${lost.toLocaleString("fr")} de moins qu’avant.\n\nPour voir lesquelles\u00a0:\n${link}\n`,
}

function questionsOf(count: number): string {
  return `${count.toLocaleString("fr")} ${count < 2 ? "question" : "questions"}`
}
