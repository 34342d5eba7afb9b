import { LRUCache } from "lru-cache"
import type { Language } from "../../accounts/project.ts"
import { withoutLinkTargets } from "../../reading/formats/document.ts"
import { givesQuantity, namesQuantity, type QuantityKind, quantityAsked } from "./quantity.ts"

/** Kinds of facts whose texts are told by their form, so that one without it does not answer. */
export type RequiredKind = QuantityKind | "phone" | "email"

/**
 * Kinds of facts that a question may ask for. Places and persons are written in too many forms to require one, and a
 * contact form may answer a visitor who asks how to reach the site's owner.
 */
export type FactKind = RequiredKind | "contact" | "place" | "person"

/** A question is read at several steps of its answer. */
const lately = new LRUCache<string, FactKind | "none">({ max: 64 })

/** The kind of fact that a question asks for; undefined when it asks for none. */
export function factAsked(question: string, language: Language): FactKind | undefined {
  const key = `${language} ${question}`
  let kind = lately.get(key)
  if (kind === undefined) {
    const named = questionForms[language].find(([, form]) => form.test(question))?.[0]
    kind = named ?? quantityAsked(question, language) ?? "none"
    lately.set(key, kind)
  }
  return kind === "none" ? undefined : kind
}

/** Whether a text gives a fact of the kind, other than the numbers that the question itself has. */
export function givesFact(text: string, kind: FactKind, question: string): boolean {
  if (isQuantity(kind)) return givesQuantity(withoutLinkTargets(text), kind, question)
  return factForms[kind].some((form) => form.test(text))
}

/** Whether a quotation that gives no such fact does not answer. */
export function isRequired(kind: FactKind): kind is RequiredKind {
  return kind !== "contact" && kind !== "place" && kind !== "person"
}

/** Whether a word of a question names the kind of fact, and not the thing that has it. `word`: without accents. */
export function namesFact(word: string, kind: FactKind): boolean {
  return isQuantity(kind) ? namesQuantity.test(word) : naming[kind].test(word)
}

export function isQuantity(kind: FactKind): kind is QuantityKind {
  return !Object.hasOwn(factForms, kind)
}

/** The first kind whose form fits, before those of quantities. */
const questionForms: Record<Language, readonly (readonly [FactKind, RegExp])[]> = {
  fr: [
    [
      "email",
      /(?<!\p{L})(?:quel(?:le)?s? (?:est |sont )?|c['’]est quoi )(?:l['’]|les? |la |votre |vos |une )?(?:adresses? )?(?:e-?mail|m[ée]l|courriel|mail|[ée]lectronique)(?!\p{L})/iu,
    ],
    [
      "phone",
      /(?<!\p{L})(?:(?:quel(?:le)?s? (?:est |sont )?|c['’]est quoi |avez[- ]vous |il y a |y a[- ]t[- ]il |^)(?:les? |la |votre |vos |un )?(?:num[ée]ros? (?:(?:de |du )?(?:t[ée]l(?:[ée]phone)?|portable|standard)(?!\p{L})|(?:de la|de l['’]|du|des|pour) ?)|t[ée]l[ée]phone(?!\p{L})))|(?<!\p{L})(?:votre|vos) num[ée]ros?(?=[^\p{L}]*$)/iu,
    ],
    [
      "contact",
      /(?<!\p{L})(?:(?:comment|o[ùu]|[àa]? ?qui|puis[- ]je|peut[- ]on|par quel moyen) (?:(?:dois|puis)[- ]je |(?:peut|doit)[- ]on |faut[- ]il |il faut |(?:je|on) (?:peux|peut|dois|doit) )?(?:(?:vous|m['’]|s['’]|l[ae]s? |l['’]) ?)?(?:joindre|contacter|appeler|t[ée]l[ée]phoner|[ée]crire|adresser))(?!\p{L})/iu,
    ],
    [
      "place",
      /(?<![\p{L}'’])(?<!(?:cas|moment|jours?|mesure|fois) )où(?!\p{L})|(?:^|(?:c['’]est|est|sont|[êe]tes|situ[ée]e?s?|trouve(?:nt)?|(?:a|ont) lieu) )ou(?= [^\p{L}]*$)|^ou (?=est|sont|se|[êe]tes|a lieu|puis|peut)|(?<!\p{L})(?:(?:quelle(?: est (?:votre|l['’]))? ?|c['’]est quoi (?:votre |l['’])|votre |l['’]|^)adresse(?! (?:e-?mail|mail|m[ée]l|ip|[ée]lectronique|url|web|internet|du site))|(?:à|dans|vers) quel(?:le)? (?:endroit|lieu|coin|rue|ville|quartier|étage|salle|bâtiment)|quels? (?:est le |sont les )?lieux?)(?!\p{L})/iu,
    ],
    [
      "person",
      /(?<!\p{L})(?:qui (?:est|sont|dirige(?:nt)?|pr[ée]side(?:nt)?|s['’]occupe(?:nt)?|g[èe]re(?:nt)?|anime(?:nt)?|enseigne(?:nt)?|encadre(?:nt)?|c['’]est)|comment s['’]appelle(?:nt)?|(?:quel|c['’]est quoi) (?:est )?le (?:pr[ée]?nom|nom) d[eu]s?|le nom d[eu]s?)(?!\p{L})/iu,
    ],
  ],
  en: [
    [
      "email",
      /(?<!\p{L})(?:(?:what(?:'s| is)|which)(?: the| your)? ?e-?mail(?: address)?|^e-?mail address)(?!\p{L})/iu,
    ],
    [
      "phone",
      /(?<!\p{L})(?:(?:what(?:'s| is)|is there|do you have|^)(?: the| your| an?)? ?(?:tele)?phone(?: number)?)(?!\p{L})/iu,
    ],
    [
      "contact",
      /(?<!\p{L})(?:how|where|who) (?:(?:do|can|should) (?:i|we)|to) (?:contact|reach|call|phone|write)(?!\p{L})/iu,
    ],
    [
      "place",
      /^where(?!\p{L})|(?<!\p{L})(?:what(?:'s| is) (?:the|your) address(?! of the)|in which (?:place|town|city))(?!\p{L})/iu,
    ],
    ["person", /^who (?:is|are|runs|leads|founded|made|wrote)(?!\p{L})/iu],
  ],
}

/**
 * As France, Belgium, Switzerland, Britain and North America write them, with an international prefix, and short ones
 * beside what they are for.
 */
const phone =
  /(?<!\d)0\d{1,4}[ ./-]{1,2}\d{3}(?:[ .-]\d{2}){2}(?!\d)|(?<!\d)0\d{2,4} \d{3,4} \d{3,4}(?!\d)|(?<!\d)0\d{3}(?: ?\d\d){3}(?!\d)|(?<![\d.])(?:1[ .-])?\d{3}[ .-]\d{3}-\d{4}(?!\d)|(?<![\d+])(?:(?:\+|00)\d{2}[ .()-]{0,3}|0)\d(?:[ .-]?\d\d){4}(?!\d)|\+\d{1,3}(?:[ .()-]{1,2}\d{2,4}){2,5}(?!\d)|\(\d{3}\) \d{3}-\d{4}|(?<!\p{L})tel:|(?<!\d)3\d[ .]?\d\d(?!\d)(?=[^\n]{0,20}(?:appel|gratuit))/iu
/** Numbers that a whole country calls, behind the word to call them or the name of their service. */
const shortPhones = [
  /(?<!\p{L})(?:(?:compose[rz]|appele[rz]|contacte[rz]|faites) (?:le|au)|dial|call)[\s*_]{1,3}(?:1[578]|11[2-9]|116 ?\d{3}|3\d[ .]?\d\d|911|999)(?![\d/]|[.,]\d| ?(?:€|%|h|jours?|heures?|min(?:utes?)?|mois|ans|euros?|days?|hours?|minutes|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)(?!\p{L}))/iu,
  /(?<!\p{L})(?:pompiers|samu|police|gendarmerie|urgences?|secours|emergency)[\s*_]{0,3}[:|–—-]?[\s*_]{0,3}(?:le |au )?(?:1[578]|11[2-9]|911|999)(?![\d/]|[.,]\d| ?(?:€|%|\p{L}))/iu,
]
const email =
  /[\p{L}\p{N}_%+-]{1,64}(?:@|\s?[[(](?:at|arobase)[\])]\s?)[\p{L}\p{N}-]{1,63}\.\p{L}{2}|mailto:/iu
const street =
  "(?:rue|avenue|av\\.|boulevard|bd|place|chemin|route|impasse|allées?|quai|cours|square|faubourg|passage|esplanade|montée|traverse|sentier|hameau)"

const role =
  "(?:(?:[Vv]ice-)?[Pp]résidente?|[Ss]ecrétaire(?: général(?:e)?)?|[Tt]résori(?:er|ère)|[Dd]irect(?:eur|rice)|[Mm]aire|[Aa]djointe?|[Rr]esponsable|[Rr]éférente?|[Cc]oordinat(?:eur|rice)|[Aa]nimat(?:eur|rice)|[Ee]ntraîneu(?:r|se)|[Pp]rofesseure?|[Gg]érante?|[Ff]ondat(?:eur|rice)|[Cc]heffe?|[Pp]resident|[Ss]ecretary|[Tt]reasurer|[Dd]irector|[Mm]anager|[Cc]hair(?:man|woman|person)?|[Ff]ounder|[Cc]oach|[Tt]eacher|[Mm]ayor)(?: (?:de |du |des |d['’]|of )?(?:l['’]|la |the )?\\p{Ll}{2,20}){0,2}"
/** First words of names of bodies, places and days, which are no person's. */
const organisation =
  "(?:Les?|La|L['’]|Des?|Du|Une?|Nos|Vos|Notre|Votre|Associations?|Amicale|Amis|Clubs?|Comité|Union|Société|Fédération|Ligue|Maison|École|Collège|Lycée|Foyer|Mairie|Commune|Ville|Centre|Espace|Salle|Rue|Place|Avenue|Boulevard|Saint|Sainte|Conseil|Bureau|Office|Service|Direction|Ministère|Groupe|Compagnie|Théâtre|Musée|Bibliothèque|Médiathèque|Gymnase|Stade|Parc|Église|Chapelle|Paroisse|Hôtel|Assemblée|Accueil|Contact|Festival|Fête|Lundi|Mardi|Mercredi|Jeudi|Vendredi|Samedi|Dimanche|Janvier|Février|Mars|Avril|Mai|Juin|Juillet|Août|Septembre|Octobre|Novembre|Décembre|The|Our|Your|Association|Club|Committee|Society|Federation|League|House|School|College|University|Center|Hall|Street|Road|Council|Department|Ministry|Group|Company|Theatre|Museum|Library|Church|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December)"
/** Before a name: neither the middle of one nor behind what makes it a body's. */
const noOrganisation = `(?<![\\p{L}])(?<!${organisation}[\\s«"“]{1,4}(?:(?:de|du|des|et|pour)\\s|d['’])?(?:\\p{Lu}[\\p{L}-]{1,30} ){0,3})(?<!(?:association|club|amicale|comité|union|société|fédération|groupe|compagnie|entreprise|society|company|charity)[\\s«"“]{1,4}(?:\\p{Lu}[\\p{L}-]{1,30} ){0,3})(?!${organisation}(?!\\p{L}))`

const factForms: Record<Exclude<FactKind, QuantityKind>, readonly RegExp[]> = {
  phone: [phone, ...shortPhones],
  email: [email],
  contact: [phone, ...shortPhones, email],
  place: [
    /(?<!\p{L})(?:(?:situ|bas|install|implant|domicili)ée?s?|se (?:trouve|situe)(?:nt)?|located|based) (?:à|au|aux|en|dans|sur|près|place|rue|in|at|on|near)(?!\p{L})/iu,
    new RegExp(`(?<!\\p{L})(?:\\d{1,4}(?: ?(?:bis|ter))?,? )${street}(?!\\p{L})`, "iu"),
    /(?<!\d)\d{5} \p{Lu}[\p{L}-]/u,
    /(?<!\p{L})(?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Pp]lace|[Cc]hemin|[Rr]oute|[Ii]mpasse|[Aa]llée|[Qq]uai|[Ss]quare) (?:d['’]|de l['’]|de la |des? |du )?\p{Lu}/u,
    /(?<!\p{L})\d{1,5} (?:\p{Lu}[\p{L}.]{0,20} ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Square|Drive)(?!\p{L})/u,
  ],
  person: [
    /(?<!\p{L})(?:M\.|Mme|Mlle|Monsieur|Madame|P[èe]re|[Aa]bbé|Dr|Docteur|Maître|Sœur|Frère|Mgr|Mr|Mrs|Ms) \p{Lu}/u,
    // « Président : … », « Présidente (…) », « trésorière – … »
    new RegExp(
      `(?<!\\p{L})${role}[\\s*_]{0,3}(?:[:(–—|]|-(?!\\p{L}))[\\s*_]{0,3}(?!${organisation}(?!\\p{L}))\\p{Lu}`,
      "u",
    ),
    new RegExp(
      `${noOrganisation}\\p{Lu}\\p{Ll}{1,20}(?:-\\p{Lu}\\p{Ll}{1,20})? (?:de |du |d['’])?(?!${organisation}(?!\\p{L}))\\p{Lu}[\\p{L}-]{1,30}(?!\\p{L})`,
      "u",
    ),
  ],
}

const namesContact =
  /^(?:[dl]['’])?(?:telephone|tel|numeros?|appel(?:er|le|ez)|telephoner|joindre|contact(?:er|ez)?|ecrire|adress(?:er?|es)|e-?mail|mail|mel|courriel|electronique|phone|number|call|reach|address|write)$/iu

const naming: Record<Exclude<FactKind, QuantityKind>, RegExp> = {
  phone: namesContact,
  email: namesContact,
  contact: namesContact,
  place:
    /^(?:[dl]['’])?(?:adresses?|lieux?|endroits?|trouve(?:nt|r)?|situe(?:es?|s|nt)?|address|located?|find)$/iu,
  person: /^(?:l['’])?(?:appelle(?:nt)?|noms?|prenoms?|occupe(?:nt)?|name|names)$/iu,
}
