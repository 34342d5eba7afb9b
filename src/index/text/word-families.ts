import type { Language } from "../../accounts/project.ts"

/**
 * Families of words that no rule of `derivations.ts` finds: short forms, names of one thing, irregular
 * derivations. A line holds folded lemmas; the first stands for all.
 */
const french = `
mail courriel mel email
application appli app
information info
promotion promo
telephone telephoner telephonique
numero num numeroter
documentation doc docs documenter
configurer config conf configuration
administrer admin administrateur administration
parametre param params parametrer
repertoire dossier
publicite pub publicitaire
photo photographie
synchroniser synchro
authentifier auth
specification spec
developper dev developpeur
rendezvous rdv
preference pref
disponible dispo
modifier modif
notifier notif
verifier verif
reserver resa
abonner abo
comptabilite compta
certificat certif
statistique stat stats
demonstration demo
personnel perso
ordinateur ordi
appartement appart
restaurant resto
decheterie dechetterie
cle clef

bug bogue

lire lu lecture lecteur lisible
ecrire ecriture
choisir choix
repondre reponse
vendre vente vendeur
perdre perte
acheter achat acheteur
essayer essai
echouer echec
reussir reussite
couter cout couteux prix tarif tarifaire tarifer tarifier
recevoir recu reception
mettre mise mets
ouvrir ouvrer
devenir devient
payer paie payant
faire faites
sortir sortie
arriver arrivee
entrer entree
acceder acces
deposer depot
retirer retrait
retourner retour
proteger protection
corriger correction correctif
etendre extension
detruire destruction
gerer gestion gestionnaire
prevenir prevention
intervenir intervention
detenir detention
obtenir obtention
rompre rupture
resoudre resolution
dissoudre dissolution
preter pret preteur
selectionner selection
louer location locataire loyer
assister assistance
surveiller surveillance
connaitre connaissance
decouvrir decouverte
offrir offre
plaindre plainte
contraindre contrainte
defendre defense
attendre attente
mourir mort
croitre croissance
securiser securite
typer typage
coder codage
tester test
convaincre conviction
vivre vie
confidentiel confidentialite
legal legalite
long longueur
large largeur
haut hauteur
profond profondeur
lent lenteur
nouveau nouveaute
malade maladie
faciliter facile
trier tri
expedier expedition
adherer adhesion adherent
nommer nomination
elire election
candidat candidature
apprendre apprentissage
demissionner demission
naitre naissance
deceder deces
fournir fournisseur fourniture
prestation prestataire
prendre prise
monter montee
descendre descente
promettre promesse
livrer livreur livree
economiser economie
voir vu
oeil yeux
connecter connection
durer duree
saisir saisie
garantir garantie
bouton button buttons
formulaire form forms
user users
vue vues
`

/**
 * Lemmas that a rule would take for derived from another word: a face (visage) does not aim (viser). They
 * stand for themselves.
 */
const frenchRoots = `
application publicite activite collectivite finalite universite
visage rivage sauvage chantage langage ouvrage equipage image garage potage
parlement departement composable portable comptable employeur chauffeur professeur
projet mission commission realite utilite creature instance considerable abordable entre use
windows point cours secret delai rapport destin argent patient permis livre
`

/** English words otherwise keep the term of the stemmer; these take that of the first of their line. */
const english = `
mail email emails mails
application app apps
information info
documentation doc docs
configuration config
configure configured
administrator admin admins
specification spec specs
reference ref
photo photograph
promotion promo
parameter param params
authentication auth
pay paid payment payments
send sent
buy bought purchase
sell sold sale sales
lose lost loss
choose chose chosen choice
write wrote written
get got
give gave given
break broke broken
receive receipt reception
refuse refusal
remove removal
register registration
subscribe subscription
verify verification
permit permission
decide decision
analyse analyze analysis
synchronize synchronise sync
modify modification
ship shipment
describe description
know known knew knowledge
think thought
begin began begun
run ran
store storage
use usage
agree agreement
child children
person people
sign signature
produce production
deliver delivery deliveries
fail failure
index indices
organize organise organization organisation
`

/** Their stems are those of other words: general (`gener`) is not to generate. The first of a line stands for it. */
const englishRoots = `
question questions
general generally
generic generics
important importantly importance
news
university universities
`

/** The word that stands for each one. */
export const familyOf: Record<Language, ReadonlyMap<string, string>> = {
  fr: readFamilies(french + frenchRoots.replaceAll(" ", "\n")),
  en: readFamilies(english),
}

/** English words that are not stemmed, and what stands for each. */
export const englishRootOf = readFamilies(englishRoots)

function readFamilies(lines: string): ReadonlyMap<string, string> {
  const families = lines.split("\n").map((line) => line.split(" ").filter(Boolean))
  return new Map(families.flatMap((words) => words.map((word) => [word, words[0] as string])))
}
