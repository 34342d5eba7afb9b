/** The database stores these codes: a published one is neither renamed nor removed. */
export const words = {
  /** A place, and what is wrong with it. */
  at: ({ place, why }: { place: string; why: string }) => `${place}: ${why}`,

  // Pages
  robotsMeta: "its robots meta tag says so",
  searchOff: "search is off in its front matter",
  frontMatterSays: ({ name, value }: { name: string; value: boolean }) =>
    `${name}: ${value} in its front matter`,
  futureDate: ({ name, day }: { name: string; day: string }) => `${name}: published on ${day}`,
  pastDate: ({ name, day }: { name: string; day: string }) => `${name}: published until ${day}`,
  nestedTooDeep: "its tags are nested hundreds deep",
  textTooLong: ({ characters }: { characters: number }) => `its text has ${grouped(characters)} characters`,
  tooManyCharacters: ({ most }: { most: number }) => `more than ${grouped(most)} characters`,
  tooManyLines: ({ most }: { most: number }) => `more than ${grouped(most)} lines`,
  tooManyTags: ({ most }: { most: number }) => `more than ${grouped(most)} tags`,
  tooManyBytes: ({ most }: { most: number }) => `more than ${grouped(most)} bytes`,
  fileTooLarge: ({ bytes, most }: { bytes: number; most: number }) =>
    `${(bytes / megabyte).toFixed(1)} MB, at most ${most / megabyte} MB`,
  noText: "no text before its scripts run",
  nothingLeft: "no text beside its menus, banners, hidden parts and single links",
  onlyLinks: "its text is only links to other pages",
  listOfPosts: "a list of posts, each of which has its page",
  leadsTo: ({ page }: { page: string }) => `it sends its visitors to ${page}`,
  binaryFile: "a binary file",
  brokenFile: ({ error }: { error: string }) => `the file is damaged: ${error}`,
  oldOffice: "a format of before 2007: save it as DOCX or PDF",
  otherArchive: "an archive that is no DOCX and no ODT",
  zipTooLarge: ({ most, megabytes }: { most: number; megabytes: number }) =>
    `more than ${grouped(most)} files or ${megabytes} MB unpacked`,
  otherData: "data that describe no interface (OpenAPI), or a part of one",
  tooManySheets: ({ most }: { most: number }) => `more than ${grouped(most)} pages`,
  unnamedLetters: "its fonts do not tell which letters they draw",
  notUtf8: "not UTF-8 text: convert it",
  noContentType: "no content type",
  notAnAddress: "not an address",
  samePageAs: ({ page }: { page: string }) => `the same page as ${page}`,
  otherFileRead: "another file of the same page was read",
  linkToFolder: "a symbolic link to a folder: not followed",
  linkOutOfFolder: "a symbolic link out of the folder",
  linkToNowhere: "a symbolic link that leads nowhere",
  pageTemplate: "a template for other pages",
  pagePart: "a part of other pages",
  contentsOrErrorPage: "a table of contents or an error page",
  notInContents: "not in SUMMARY.md: it is not published",
  notPublished: "not published by the site's settings or its front matter",
  otherVersion: ({ version }: { version: string }) => `of another version: ${version} is read`,
  outsidePages: "outside the pages of the site",
  otherLanguage: ({ language }: { language: string }) => `in another language than ${language}`,
  notRegularFile: "not a regular file",

  // Parts of a page
  ownerPart: "the site marks it as not to be read",
  hiddenPart: "hidden, and nothing on the page opens it",
  navigationPart: "a menu, a header, a footer or a list of links",
  cookiesPart: "a cookie banner",
  promotionPart: "only there to share, subscribe or give an opinion",
  formPart: "a form",
  asidePart: "a box beside the text",
  generatedPart: "a line of the program that made the site",
  outsidePart: "outside the element that holds the text of the page",
  repeatedPart: "most pages of the site say it",
  unreadablePart: "this part of the file is broken, or of a format that is not read",
  drawingPart: "a chart or a diagram: its words are not read",
  referencePart: "this reference leads to no part of the file, or of another that is read with it",
  scannedPart: "these pages have pictures or drawings alone, without text: have it recognised (OCR)",
  limitPart: "it comes after the limit of what is read",

  // Limits of reading one page or list
  processorTime: ({ seconds }: { seconds: number }) => `took more than ${seconds} s of processor time`,
  elapsedTime: ({ seconds }: { seconds: number }) => `took more than ${seconds} s`,
  memory: ({ megabytes }: { megabytes: number }) => `took more than ${megabytes} MB of memory`,
  parserEnded: "the process that worked on it ended",
  calledOff: "called off",
  listParsing: ({ why }: { why: string }) => `reading it ${why}`,

  // Sites
  answered: ({ status }: { status: number }) => `answered ${status}`,
  notFound: "not found",
  hostSilent: ({ host }: { host: string }) => `${host} no longer answers`,
  comeBackLater: ({ seconds }: { seconds: number }) => `asks to come back in ${seconds} seconds`,
  stalled: ({ seconds }: { seconds: number }) => `nothing received for ${seconds} seconds`,
  unfinished: ({ seconds }: { seconds: number }) => `not complete after ${seconds} seconds`,
  otherEncoding: ({ encoding }: { encoding: string }) =>
    `sent in the encoding ${encoding}, which was not asked for`,
  brokenGzip: ({ error }: { error: string }) => `broken gzip: ${error}`,
  tooManyRedirects: ({ most }: { most: number }) => `more than ${most} redirects`,
  redirectsElsewhere: ({ site }: { site: string }) =>
    `redirects to ${site}, which is no address of the project (--origin ${site} makes it one)`,
  elsewhere: ({ site }: { site: string }) =>
    `${site}, which is no address of the project (--origin ${site} makes it one)`,
  privateAddress: ({ host }: { host: string }) =>
    `${host} is no public address: GUICHET_FEED_ALLOW_PRIVATE=true reads private networks`,
  privateHost: ({ host }: { host: string }) =>
    `${host} has no public address: GUICHET_FEED_ALLOW_PRIVATE=true reads private networks`,
  unknownHost: ({ host }: { host: string }) => `${host} cannot be looked up`,
  connectionRefused: ({ error }: { error: string }) => error,
  connectionClosed: ({ error }: { error: string }) => error,
  proxyFailed: ({ error }: { error: string }) =>
    `the outbound proxy made no connection (${error}): GUICHET_OUTBOUND_PROXY names it, and it has to allow CONNECT to addresses`,
  badCertificate: ({ error }: { error: string }) => error,

  // Feeds and lists of pages
  notHttp: "not an http or https address",
  tooManyRules: "too many rules for so long an address",
  tooManyPages: ({ most }: { most: number }) => `more than ${most} pages: the rest is not read`,
  repeatedSegments: "its path repeats itself",
  calendar: ({ most }: { most: number }) => `more than ${most} addresses that differ in a date alone`,
  onlyParameter: ({ count, name }: { count: number; name: string }) =>
    `${count} links differ in “${name}” alone: name this parameter in the feed to read each`,
  manyQueries: ({ most }: { most: number }) =>
    `more than ${most} addresses that differ in their query strings alone`,
  facets: "the parts of its path are those of a page before, in another order",
  tooManyCrawled: ({ most }: { most: number }) =>
    `links lead to more than ${most} pages, so the rest is not read`,
  tooManySitemaps: ({ most }: { most: number }) =>
    `robots.txt names more than ${most} sitemaps: this and the next ones are not read`,
  tooFar: ({ count, most }: { count: number; most: number }) =>
    `${grouped(count)} links are more than ${most} links from the first page and are not followed`,
  moreTraps: ({ count }: { count: number }) =>
    `${grouped(count)} further links have the shape of an endless series and are not followed`,
  tooManyLinks: ({ page }: { page: string }) =>
    `${page} has too many links: this and the next ones are not followed`,
  printsPages: "it gathers other pages that are read, for printing",
  otherFiles: ({ count, ending }: { count: number; ending: string }) =>
    `${grouped(count)} ${ending} ${count === 1 ? "file is" : "files are"} not read`,
  tooManyDocuments: ({ most }: { most: number }) =>
    `more than ${grouped(most)} linked documents: the rest is not read`,
  addressesTooLong: ({ most }: { most: number }) =>
    `more than ${most} characters of addresses: the rest is not read`,
  longAddresses: ({ count, most }: { count: number; most: number }) =>
    `${count === 1 ? "an address" : `${count} addresses`} of more than ${most} characters`,
  noSitemap: ({ places }: { places: string }) =>
    `no sitemap was found (looked for ${places}): name the list itself, follow links (crawl), or name the pages one by one`,
  htmlNotSitemap: "an HTML page, not a sitemap: name the address of the list itself",
  htmlNotText: "an HTML page, not a text",
  otherXml: ({ kind, line }: { kind: string; line: number }) =>
    `XML of another kind (line ${line}: <${kind}>), not a sitemap, RSS or Atom`,
  notSitemap: ({ line }: { line: number }) =>
    `neither XML nor a list of addresses: line ${line} does not begin with http:// or https://`,
  listCutOff: ({ line }: { line: number }) =>
    `cut off at line ${line}, before its first element ends: send the list whole`,
  entryWithoutAddress: ({ line, element }: { line: number; element: string }) =>
    `the entry on line ${line} has no <${element}>: write the address of the page there`,
  tooManyPatterns: ({ most }: { most: number }) => `${most} patterns at most`,
  badPattern: ({
    pattern,
    characters,
    wildcards,
  }: {
    pattern: string
    characters: number
    wildcards: number
  }) =>
    `"${pattern}" is no pattern: at most ${characters} characters, no blank, at most ${wildcards} wildcards (* or **)`,
  excludedBy: ({ pattern }: { pattern: string }) => `--exclude ${pattern}`,
  notIncluded: "no --include matches it",
  allElsewhere: ({ site }: { site: string }) =>
    `all its pages are on other hosts (${site}): declare that address with guichet project set --origin ${site}`,
  allUnwanted: "no page is left by --include and --exclude: change the patterns",
  noPage: "it lists no page",
  emptyText: "it holds no text",
  listsTooDeep: ({ deep, most }: { deep: number; most: number }) =>
    `lists within lists, more than ${deep} deep or ${most} in all`,
  notAFolder: ({ folder }: { folder: string }) => `${folder} is not a folder`,
  emptyFolder: ({ folder }: { folder: string }) =>
    `no page in ${folder}: expected .md, .mdx, .markdown, .html, .pdf, .docx or .odt files`,
  leftFolder: "it is no longer in the folder",

  // Git repositories
  gitNone: "this is not the address of a Git repository",
  gitNotFound: "there is no such repository, or it asks for a token: check the address and the token",
  gitMoved: "this repository has another address: give that one",
  gitOld: "this server does not speak version 2 of the Git protocol (Git 2.18 or later)",
  gitEmpty: "this repository is empty",
  gitNoBranch: ({ branch }: { branch: string }) => `this repository has no branch or tag ${branch}`,
  gitNoFolder: ({ folder }: { folder: string }) => `this repository has no folder ${folder}`,
  gitTooLarge: ({ megabytes }: { megabytes: number }) =>
    `this repository is too large: its last state has more than ${megabytes} MB`,
  gitTooManyFiles: ({ files }: { files: number }) =>
    `this repository has more than ${files} files, or too much text: name a folder, as in #main:docs`,
  gitBroken: "the server sent a repository that cannot be read",
  gitUnpacking: ({ why }: { why: string }) => `the repository could not be unpacked: ${why}`,

  // Indexing
  tooMuchRemoved: ({ removed, stored }: { removed: number; stored: number }) =>
    `this reading would remove ${removed} of ${stored} documents, more than half: nothing was changed; --force does it all the same`,
  interrupted: "interrupted",
  indexingMemory: ({ megabytes }: { megabytes: number }) =>
    `it took more than ${megabytes} MB of memory (GUICHET_INDEXING_MEMORY_MB)`,
  indexingStuck: "it no longer got any further, and was ended",
  storeUnusable: ({ error }: { error: string }) => `the object store cannot be used: ${error}`,
  archiveTooLarge: ({ megabytes }: { megabytes: number }) =>
    `its archive would have more than ${grouped(megabytes)} MB`,
}

const megabyte = 1024 * 1024

function grouped(count: number): string {
  return count.toLocaleString("en")
}
