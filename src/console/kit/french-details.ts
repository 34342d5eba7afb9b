/**
 * French translations of the English details about skipped pages, failed readings and checked parts of the
 * service. The command line and the log print the English. A test checks that every such text of the program
 * has a translation here.
 */
const catalogue: readonly [english: RegExp, french: (...parts: string[]) => string][] = [
  // Pages
  [/^its robots meta tag says so$/, () => "Sa balise meta «\u00a0robots\u00a0» le demande."],
  [/^search is off in its front matter$/, () => "Son en-tête l’écarte de la recherche."],
  [/^(\w+: \w+) in its front matter$/, (said) => `Son en-tête dit «\u00a0${said}\u00a0».`],
  [/^its tags are nested thousands deep$/, () => "Ses balises sont imbriquées par milliers."],
  [/^its tags are nested hundreds deep$/, () => "Ses balises sont imbriquées par centaines."],
  [
    /^its text has ([\d,]+) characters$/,
    (characters) => `Son texte compte ${grouped(characters)} caractères.`,
  ],
  [/^more than ([\d,]+) characters$/, (most) => `Plus de ${grouped(most)} caractères.`],
  [/^more than ([\d,]+) lines$/, (most) => `Plus de ${grouped(most)} lignes.`],
  [/^more than ([\d,]+) tags$/, (most) => `Plus de ${grouped(most)} balises.`],
  [
    /^(?:reading it )?took more than ([\d.]+) s of processor time$/,
    (seconds) => `Sa lecture a pris plus de ${decimal(seconds)}\u00a0secondes de calcul.`,
  ],
  [
    /^(?:reading it )?took more than ([\d.]+) s$/,
    (seconds) => `Sa lecture a pris plus de ${decimal(seconds)}\u00a0secondes.`,
  ],
  [
    /^(?:reading it )?took more than ([\d.]+) MB of memory$/,
    (size) => `Sa lecture a pris plus de ${decimal(size)}\u00a0Mo de mémoire.`,
  ],
  [
    /^no text before its scripts run$/,
    () => "Elle ne contient pas de texte tant que ses scripts n’ont pas été exécutés.",
  ],
  [/^a binary file$/, () => "C’est un fichier binaire."],
  [/^not UTF-8 text: convert it$/, () => "Ce texte n’est pas en UTF-8\u00a0: convertissez-le."],
  [
    /^([\d.]+) MB, at most ([\d.]+) MB$/,
    (size, most) => `Elle pèse ${decimal(size)}\u00a0Mo, ${decimal(most)}\u00a0Mo au plus.`,
  ],
  [/^more than ([\d,]+) bytes$/, (most) => `Plus de ${grouped(most)} octets.`],
  [/^no content type$/, () => "Le site ne dit pas de quel type elle est."],
  [/^not an address$/, () => "Ce n’est pas une adresse."],
  [/^the same page as (.+)$/, (page) => `La même que ${page}.`],
  [/^another file of the same page was read$/, () => "Un autre fichier de la même page a été lu."],
  [
    /^a symbolic link to a folder: not followed$/,
    () => "Un lien symbolique vers un dossier n’est pas suivi.",
  ],
  [/^a symbolic link out of the folder$/, () => "Un lien symbolique mène hors du dossier."],
  [/^a symbolic link that leads nowhere$/, () => "Un lien symbolique ne mène nulle part."],
  [/^a template for other pages$/, () => "C’est un modèle d’autres pages."],
  [/^a part of other pages$/, () => "C’est une partie d’autres pages."],
  [/^a table of contents or an error page$/, () => "C’est un sommaire ou une page d’erreur."],
  [/^not a regular file$/, () => "Ce n’est pas un fichier ordinaire."],
  // Sites
  [/^answered (\d+)$/, (status) => `Le site a répondu HTTP ${status}.`],
  [/^not found$/, () => "Introuvable."],
  [/^(\S+) no longer answers$/, (host) => `${host} ne répond plus.`],
  [
    /^asks to come back in (\d+) seconds$/,
    (seconds) => `Le site demande de revenir dans ${seconds}\u00a0secondes.`,
  ],
  [
    /^nothing received for ([\d.]+) seconds$/,
    (seconds) => `Rien n’est arrivé pendant ${decimal(seconds)}\u00a0secondes.`,
  ],
  [
    /^not complete after ([\d.]+) seconds$/,
    (seconds) => `Le site n’a pas fini de répondre en ${decimal(seconds)}\u00a0secondes.`,
  ],
  [
    /^sent in the encoding (\S+), which was not asked for$/,
    (encoding) => `Elle est compressée en ${encoding}, qui n’était pas demandé.`,
  ],
  [/^broken gzip: .*$/, () => "La compression gzip est abîmée."],
  [/^more than (\d+) redirects$/, (most) => `Plus de ${most} redirections.`],
  [
    /^redirects to (\S+), which is no address of the project$/,
    (site) => `Elle redirige vers ${site}, qui n’est pas une adresse du projet.`,
  ],
  [
    /^(\S+), which is no address of the project$/,
    (site) => `Elle est sur ${site}, qui n’est pas une adresse du projet.`,
  ],
  [
    /^(.+) is no public address: GUICHET_FEED_ALLOW_PRIVATE=true reads private networks$/,
    (place) =>
      `${place} n’est pas une adresse publique\u00a0: GUICHET_FEED_ALLOW_PRIVATE=true permet de lire un réseau privé.`,
  ],
  [/^(\S+) cannot be looked up$/, (name) => `Le nom ${name} n’a pas pu être cherché.`],
  [
    /^(\S+) has no public address: GUICHET_FEED_ALLOW_PRIVATE=true reads private networks$/,
    (name) =>
      `${name} n’a pas d’adresse publique\u00a0: GUICHET_FEED_ALLOW_PRIVATE=true permet de lire un réseau privé.`,
  ],
  [/^(\S+) has no address$/, (name) => `${name} n’a pas d’adresse.`],
  [/^ConnectionRefused|ECONNREFUSED$/, () => "Le site refuse la connexion."],
  [/^ECONNRESET|ConnectionClosed$/, () => "Le site a coupé la connexion."],
  [
    /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS)\w+$/,
    () => "Le certificat du site n’est pas valable.",
  ],
  // Lists of pages
  [/^too many rules for so long an address$/, () => "Il a trop de règles pour une adresse aussi longue."],
  [
    /^more than (\d+) characters of addresses: the rest is not read$/,
    (most) => `Plus de ${grouped(most)} caractères d’adresses\u00a0: le reste n’est pas lu.`,
  ],
  [
    /^an address of more than (\d+) characters$/,
    (most) => `Une adresse de plus de ${grouped(most)} caractères.`,
  ],
  [
    /^(\d+) addresses of more than (\d+) characters$/,
    (count, most) => `${grouped(count)} adresses de plus de ${grouped(most)} caractères.`,
  ],
  [/^an HTML page, not a sitemap$/, () => "C’est une page HTML, pas un plan de site."],
  [/^an HTML page, not a text$/, () => "C’est une page HTML, pas un texte."],
  [
    /^XML of another kind \((.+)\), not a sitemap$/,
    (kind) => `C’est un autre XML (${kind}), pas un plan de site.`,
  ],
  [/^neither XML nor a list of addresses$/, () => "Ce n’est ni un XML ni une liste d’adresses."],
  [/^it lists no page$/, () => "Aucune page n’y figure."],
  [/^it holds no text$/, () => "Il ne contient pas de texte."],
  [
    /^more than (\d+) pages: the rest is not read$/,
    (most) => `Plus de ${grouped(most)} pages\u00a0: le reste n’est pas lu.`,
  ],
  [
    /^lists within lists, more than (\d+) deep or (\d+) in all$/,
    (deep, all) =>
      `Des listes dans des listes, sur plus de ${deep} niveaux ou plus de ${grouped(all)} en tout.`,
  ],
  [
    /^this reading would remove (\d+) of (\d+) documents, more than half: .*$/,
    (removed, all) => `${grouped(removed)} pages sur ${grouped(all)} seraient retirées.`,
  ],
  // Parts of the service
  [/^can be written to$/, () => "Elle accepte les écritures."],
  [/^cannot be written to$/, () => "Elle refuse les écritures\u00a0: vérifiez l’espace libre du disque."],
  [/^sound, and can be written to$/, () => "Elle est saine et accepte les écritures."],
  [/^damaged: .*$/, () => "Elle est abîmée\u00a0: restaurez une sauvegarde."],
  [/^every project that was read has its index$/, () => "Chaque projet lu a son index."],
  [
    /^to be built again, which the service does: (.+)$/,
    (projects) => `Le service les reconstruit\u00a0: ${projects}.`,
  ],
  [
    /^projects with a feed and no index: (.+)$/,
    (projects) => `Projets avec une source et sans index\u00a0: ${projects}.`,
  ],
  [
    /^([\d.]+) MB free, form posts are refused below (\d+) MB$/,
    (free, least) =>
      `${spaceOf(Number(free))} libres\u00a0: en dessous de ${spaceOf(Number(least))}, les envois de formulaires sont refusés.`,
  ],
  [/^([\d.]+) MB free$/, (free) => `${spaceOf(Number(free))} libres.`],
  [/^(\d{4}-\S+Z)$/, (now) => `Il est ${secondOf(now)} (UTC).`],
  [
    /^(\S+), (\d+) s before what is stored: it was set back$/,
    (now, seconds) =>
      `Il est ${secondOf(now)} (UTC), ${seconds} s avant ce qui est enregistré\u00a0: l’horloge a reculé.`,
  ],
  [/^names are resolved$/, () => "Les noms de domaine sont trouvés."],
  [/^names are not resolved \((.+)\)$/, (code) => `Les noms de domaine ne sont pas trouvés (${code}).`],
  [/^not set: no mail is sent$/, () => "Il n’est pas configuré\u00a0: aucun e-mail n’est envoyé."],
  [/^the server takes mails from here$/, () => "Le serveur accepte les e-mails de ce service."],
  [/^the server cannot be used \((.+)\)$/, (code) => `Le serveur d’e-mails ne convient pas (${code}).`],
  [
    /^none: answers are taken from the documentation$/,
    () => "Aucun\u00a0: les réponses sont tirées de la documentation.",
  ],
  [
    /^(\S+): set GUICHET_PUBLIC_URL to the address visitors use$/,
    (url) => `${url}\u00a0: donnez à GUICHET_PUBLIC_URL l’adresse que les visiteurs utilisent.`,
  ],
  [/^(\S+) leads here$/, (url) => `${url} mène bien ici.`],
  [
    /^(\S+) answers (\d+), not the service$/,
    (url, status) => `${url} répond HTTP ${status}\u00a0: ce n’est pas ce service.`,
  ],
  [
    /^the oldest has been due for (\d+) s(?:: does the service run\?)?$/,
    (seconds) => `La plus ancienne attend depuis ${grouped(seconds)} s.`,
  ],
  [/^nothing is overdue$/, () => "Rien n’est en retard."],
  [/^no result within (\d+) s$/, (seconds) => `Pas de résultat en ${seconds} s.`],
]

/** Undefined for texts of other programs, such as a driver or a server. */
export function inFrench(english: string): string | undefined {
  for (const [pattern, french] of catalogue) {
    const parts = pattern.exec(english)
    if (parts) return french(...parts.slice(1))
  }
  // `robots.txt: answered 503`, `https://docs.exemple.fr/sitemap.xml: not found`
  const [, of, rest] = /^(robots\.txt|https?:\/\/\S+|\/\S+): (.+)$/.exec(english) ?? []
  const said = rest && inFrench(rest)
  return said && `${of}\u00a0: ${said}`
}

/** `12,345` or `12345` as French writes it. */
function decimal(digits: string | undefined): string {
  return Number(digits).toLocaleString("fr", { minimumFractionDigits: digits?.split(".")[1]?.length ?? 0 })
}

function grouped(digits: string | undefined): string {
  return Number(digits?.replaceAll(",", "")).toLocaleString("fr")
}

/** `412 Mo`, `68 Go`. */
function spaceOf(megabytes: number): string {
  const [size, unit] = megabytes < 10_000 ? [megabytes, "Mo"] : [Math.floor(megabytes / 1024), "Go"]
  return `${size.toLocaleString("fr")}\u00a0${unit}`
}

/** `2026-11-20 15:20:25` */
function secondOf(time = ""): string {
  return time.replace("T", " ").replace(/\.\d+Z$/, "")
}
