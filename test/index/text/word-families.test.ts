import { expect, test } from "bun:test"
import { analyse } from "../../../src/index/text/analyse.ts"

/** Issue I, part 5: forms of one word and words of one family share a term, with and without accents. */
const meetInFrench = `
payé payer, payée paiement, supprimer suppression, appli application, applis applications, courriel mail, mél courriel
e-mail courriel, email mél, envoyé envoyer, envoi envoyer, modifié modifier, modification modifie, création créer
créé création, inscription inscrire, inscrit inscription, connexion connecter, déconnexion déconnecter
livraison livrer, livré livraison, résiliation résilier, réception recevoir, reçu recevoir, affichage afficher
sécurisé sécurité, sécuriser sécurité, choix choisir, choisi choix, réponse répondre, oubli oublier, oublié oubli
vente vendre, vendu vente, perte perdre, perdu perte, lecture lire, lu lire, ouverture ouvrir, ouvert ouvrir
fermeture fermer, téléchargement télécharger, hébergement héberger, abonnement abonner, changement changer
chiffrement chiffrer, enregistrement enregistrer, remboursement rembourser, déploiement déployer
consentement consentir, partage partager, paramétrage paramétrer, nettoyage nettoyer, signature signer
expiration expirer, notification notifier, vérification vérifier, publication publier, communication communiquer
installation installer, impression imprimer, diffusion diffuser, suspension suspendre, permission permettre
transmission transmettre, révision réviser, précision préciser, souscription souscrire, protection protéger
correction corriger, production produire, traduction traduire, exécution exécuter, définition définir
ajout ajouter, arrêt arrêter, refus refuser, appel appeler, achat acheter, essai essayer, accès accéder
dépôt déposer, retrait retirer, retour retourner, sélection sélectionner, gestion gérer, résolution résoudre
acheteur acheter, utilisateurs utilisatrice, disponibilité disponible, réactivité réactif, rapidement rapide
gratuitement gratuit, automatiquement automatique, différence différent, factures facturer, demandes demander
remplir remplissage, échouer échec, réussir réussite, coûter coût, coûteux coût, bogue bug, rdv rendez-vous
généraux générale, nouveaux nouvelle, journaux journal, tuyaux tuyau, prennent prendre
appelle appeler, jettent jeter, numéros num, config configuration, promo promotion, infos information
doc documentation, admin administrateur, mise mettre, dispo disponible, modifs modification, notif notifier
ouvrez ouvert, ouvre ouverture, faites faire, devient devenir, paie paiement, payant payer
prix tarif, tarifs coûte, tarification prix
adhésion adhérer, blocage bloquer, fournisseur fournir, décès décéder, absence absent, location louer
dissoudre dissolution, prêt prêter, livrés livrer, livrée livraison, déchèterie déchetterie, déchetteries déchèteries, clef clés
`
const apartInFrench = `
don données, visa vise, don donner, port porte, post poste, cas case, part parti, mine minute, cour cours
important importer, public publicité, université univers, fonction fonctionner, direct direction, bas base
fil file, fin finir, data date, meta mettre, via vie, parce parc, objet objectif, commun communiquer
message messager, visage viser, page payer, image imaginer, pension penser, passion passer, maison mer
raison rare, couleur couler, erreur errer, valeur valoir, département départ, moment monter, composable composer
composant composer, navigateur naviguer, langage langer, ordinateur ordinaire, personne personnel, finalité finir
servir serveur, cookie cuisine, heure heureux, cher cherche, pays payer, carte carton
temps tempête, journée journal, clé client, avocat avocation, mois moi, sauvage sauver, menage mener, ville village
mission mettre, commission commettre, projet projeter, contrat contraire, point pointer, secret sécréter, portable porter, bureau bure, actif activer, livre livrer, livres livraison, livre livré
Windows window
`
const meetInEnglish = `
delete deletion, deleted deleting, pay payment, paid pay, app application, apps applications, mail email
e-mail mail, install installation, send sent, buy bought, choose choice, config configuration, docs documentation
deliver delivery, remove removal, subscribe subscribed, connect connection, refuse refusal, lose loss
subscription subscribe, modifications modify, registered registration, children child
deploy deployment, deployed deployment, validate validation, generate generation, fail failure, index indices
organise organization
`
const apartInEnglish = `
post poster, port portal, data date, apply apple, mine minute, part party, station state, general generate, generic generate, new news
import important, universe university
`

for (const [language, meet, apart] of [
  ["fr", meetInFrench, apartInFrench],
  ["en", meetInEnglish, apartInEnglish],
] as const) {
  test(`words of one family meet (${language})`, () => {
    expect(pairs(meet).filter(([one, other]) => !share(one, other, language))).toEqual([])
  })

  test(`words that only look alike do not (${language})`, () => {
    expect(pairs(apart).filter(([one, other]) => share(one, other, language))).toEqual([])
  })
}

test("a visitor who leaves out the accents finds the same", () => {
  // Without its accent « livré » is a book.
  for (const word of pairs(meetInFrench)
    .flat()
    .filter((each) => !each.startsWith("livré")))
    expect(analyse(bare(word), "fr"), word).toEqual(analyse(word, "fr"))
})

function pairs(table: string): [string, string][] {
  return table
    .trim()
    .split(/,|\n/)
    .map((pair) => pair.trim().split(" ") as [string, string])
}

function share(one: string, other: string, language: "fr" | "en"): boolean {
  const terms = new Set(analyse(one, language))
  return analyse(other, language).some((term) => terms.has(term))
}

function bare(word: string): string {
  return word.normalize("NFD").replace(/\p{M}/gu, "")
}
