import type { words as french } from "../assistant.fr.ts"
import type { Sentences } from "../wording.ts"

/** English sentences about questions, answers and feeds, for programs and the log: visitors read French. */
export const words = {
  tooLarge: "body too large",
  notJson: "not sent as JSON",
  unreadable: "the request is to hold a JSON object",
  project: "a project's identifier has 8 to 64 lowercase letters and digits",
  questionMissing: "the question is missing, or is no text",
  questionTooShort: "the question has fewer than 2 characters",
  questionTooLong: "the question has more than 1,000 characters",
  queryMissing: "the search is missing, or is no text",
  queryTooLong: "the search has more than 200 characters",
  tooManySearches: "too many searches in a short time",
  page: "the path of the page is to be a text that begins with “/”",
  pageTooLong: "the path of the page has more than 512 characters",
  previous: "the earlier answers are to be a list of ids",
  tooManyPrevious: "a question names 3 earlier answers at most",
  projectNotFound: "no project has this identifier",
  originNotAllowed: "this page is on no declared site of the project",
  assistantDisabled: "the assistant of this project is switched off",
  noTeamPage: "the project has no chosen answer without sources",
  notIndexed: "the project is not indexed: there is nothing to cite",
  unavailable: "the assistant does not answer at the moment: try again shortly",
  pageNotFound: "no page of this project has this name",
  feedNotFound: ({ project, id }: InProject) => `project ${project} has no feed ${id}`,
  answerNotFound: "no answer has this id",
  tooMuchFeedback: "the opinion on this answer has changed too often today",
  useful: "an opinion is true or false",
  reason: ({ choices }: { choices: readonly string[] }) =>
    `the reason of an opinion is one of these: ${choices.join(", ")}`,
  opened: "the number of the passage, n, is 1, 2 or 3",
  openedNotFound: "no passage of this number was offered with that answer",
  programsOff: "the project is not open to programs: its owner can open it in the console",
  programOrigin: "this page is on no declared site of the project: declare it in its settings",
  tooManyRequests: "too many requests in a short time: try again a little later",
  programsShare:
    "the share of the questions that programs get is used up; it is renewed each day and each month, and search goes on",
  unknownEdition: ({ names }: { names: string }) =>
    `the documentation has no such edition: choose one of ${names || "none"}`,
  searchText: "the text q has 2 to 200 characters, and limit is 1 to 10",
  tooManyChecks: "too many searches in a short time",
  beingIndexed: "the documentation is being indexed already",
  noFeed: "the project has no feed yet",
  tooMuchRemoved:
    "this reading would remove more than half of the documents: nothing was changed; check the feed, or force the reading",
  embeddingFailed: "the vectors could not be made: words alone find passages; the service tries again",
  indexingFailed: "indexing failed for a reason that was not foreseen: see the log of the service",
  indexingStopped: "indexing was interrupted: the index before goes on answering",
  indexingTooLarge: "indexing took too much memory and was ended: the index before goes on answering",
  indexingStuck: "indexing got no further and was ended: the index before goes on answering",
  archiveNotStored:
    "the index could not be put into the shared store: the index before goes on answering; try again later",
  archiveTooLarge: "the index is too large for the shared store: the index before goes on answering",
  invalidFeed: "not a feed of this site",
  tooManyFeeds: ({ maximum }: { maximum: number }) => `a project has ${maximum} feeds at most`,
  feedKind:
    "choose a site, a sitemap, an llms.txt file, links to follow (crawl), pages, a Git repository (git) or uploads",
  feedAddress: "give a complete URL, such as https://docs.example.com/sitemap.xml",
  feedPage: "give complete URLs, such as https://docs.example.com/contact",
  crawlNumber: ({ most }: { most: number }) => `give a whole number from 1 to ${most}`,
  crawlParameters: ({ most }: { most: number }) =>
    `give at most ${most} names of parameters, of letters, digits, dots, dashes and brackets, with an asterisk at its end for all that begin so`,
  notCrawled: "this feed follows no links: it has neither a depth nor a number of pages",
  feedPages: ({ pages, characters }: { pages: number; characters: number }) =>
    `give 1 to ${pages.toLocaleString("en")} complete URLs of pages, ${characters.toLocaleString("en")} characters in all at most`,
  feedPagesElsewhere:
    "one of these pages is on no declared site of the project: declare that site first, in the project's settings",
  feedElsewhere:
    "this URL is on no declared site of the project: declare that site first, in the project's settings",
  feedBaseUrl: "give the complete URL under which the pages stand, such as https://docs.example.com",
  gitAddress:
    "give the https:// URL of a Git repository, without user and password, such as https://git.example.com/docs.git, or with a branch and a folder: https://git.example.com/docs.git#main:guide",
  gitToken: "give the token alone, or user:token, without blanks, in 500 characters at most",
  tokenElsewhere: "a Git repository alone is read with a token",
  headersNeedHttps: "headers are sent to an https:// URL alone: give that one, or leave the headers out",
  notForFiles: "this feed takes no files: add one of the kind upload",
  pagesUnread: ({ failed, pages }: { failed: number; pages: number }) =>
    `${failed} of ${pages} ${pages === 1 ? "page" : "pages"} could not be read: read the documentation again; until then ${failed === 1 ? "its" : "their"} last version answers`,
  uploadNotFound: "no file of this feed has this identifier",
  invalidUpload: "these files cannot be kept",
  uploadFiles: ({ files }: { files: number }) => `give 1 to ${files} files, or a ZIP`,
  uploadContent: "give the content of the file in base64",
  uploadKind: ({ name, choices }: { name: string; choices: readonly string[] }) =>
    `“${name}” is no document that Guichet reads, or holds something else than its name says; extensions are ${choices.join(", ")}, or zip; save a spreadsheet, slides or an old Word file as PDF and send that`,
  uploadTooLarge: ({ name, megabytes }: { name: string; megabytes: number }) =>
    `“${name}” is too large: a file has ${megabytes} MB at most`,
  tooManyUploads: ({ maximum }: { maximum: number }) =>
    `a feed keeps ${maximum} files at most: remove some before you add others`,
  zipName: ({ name }: { name: string }) =>
    `the name “${name}” cannot be kept: 200 characters and 10 folders at most, no “..”, no absolute path, no blank at an edge, nothing invisible and none of < > : " | ? * \\`,
  zipKind: ({ name }: { name: string }) => `“${name}” is no document that Guichet reads`,
  zipNested: ({ name }: { name: string }) => `“${name}” is a ZIP on a third level: send it by itself`,
  zipDamaged: "this ZIP is damaged, or none: make it again",
  zipLink: ({ name }: { name: string }) => `“${name}” is a link in this ZIP: put the file itself into it`,
  zipTwice: ({ name }: { name: string }) => `the name “${name}” is given twice`,
  zipEncrypted: ({ name }: { name: string }) => `“${name}” needs a password: make the ZIP without one`,
  zipMethod: ({ name }: { name: string }) =>
    `“${name}” is packed in an unusual way: make the ZIP with the usual one (deflate)`,
  zipOther: ({ name }: { name: string }) =>
    `“${name}” holds something else than the directory of the ZIP says: make it again`,
  zipEmpty: "this ZIP holds no document that Guichet reads",
  zipTooLarge: ({ files, megabytes }: { files: number; megabytes: number }) =>
    `this ZIP holds too much: ${files} documents and ${megabytes} MB at most, unpacked; send it in several`,
  synonymNotFound: ({ project, id }: InProject) => `project ${project} has no group of synonyms ${id}`,
  invalidSynonym: "this group cannot be added: correct its words",
  synonymCount: "a group has 2 to 10 different words",
  synonymLength: "a word is empty, or longer than 60 characters",
  synonymMeaningless: ({ word }: { word: string }) =>
    `${JSON.stringify(word)} holds no word that is searched`,
  tooManySynonyms: ({ maximum }: { maximum: number }) =>
    `a project has ${maximum} groups of synonyms at most`,
  chosenNotFound: ({ project, id }: InProject) => `project ${project} has no chosen answer ${id}`,
  invalidChosen: "this answer cannot be saved: correct the fields that are named",
  tooManyChosen: ({ maximum }: { maximum: number }) => `a project has ${maximum} chosen answers at most`,
  chosenLength: ({ maximum }: { maximum: number }) =>
    `write an answer of 1 to ${maximum.toLocaleString("en")} characters`,
  chosenMarkerInCode: "a marker such as [^1] cannot stand in code",
  chosenMarker: ({ sources }: { sources: number }) =>
    sources === 0
      ? "the answer refers to a source that is not given"
      : `the answer refers to a source that is not given: markers go from [^1] to [^${sources}]`,
  chosenQuestions: ({ maximum }: { maximum: number }) =>
    `give 1 to ${maximum} questions, of 2 to 1,000 characters each, with one word at least that is searched`,
  chosenSources: ({ maximum }: { maximum: number }) =>
    `give ${maximum} sources at most, from the indexed documentation`,
  chosenSource: ({ address }: { address: string }) =>
    `this URL is of no passage of the indexed documentation: ${address}`,
  setFull: ({ maximum }: { maximum: number }) => `an evaluation set has ${maximum} questions at most`,
  setQuestionNotFound: ({ project, id }: InProject) =>
    `project ${project} has no question ${id} in its evaluation set`,
  setRunNotFound: ({ project, id }: InProject) => `project ${project} has no run ${id} of its evaluation set`,
  setEmpty: ({ project }: { project: string }) => `project ${project} has no evaluation set`,
  setRunning: ({ project }: { project: string }) => `the evaluation set of project ${project} is being tried`,
  invalidSetQuestion: "this question cannot be added: correct the fields that are named",
  setQuestion: "write a question of 2 to 1,000 characters",
  setText: ({ maximum }: { maximum: number }) => `the expected text has ${maximum} characters at most`,
  setPage: "give the URL of a page, or its path, such as /guide/installation",
  setExpects: "say what the answer is to cite: a page, a text, or both",
  importTooLong: "this list is too long: 300,000 characters at most",
  importEmpty: "paste a list of questions",
  importTooMany: ({ maximum }: { maximum: number }) => `a list has ${maximum} questions at most`,
  importLine: ({ line }: { line: number }) => `line ${line} is not a JSON object with a “question”`,
  importColumns: "the first line is to name the columns: question;page;texte",
  unreadableFolder: "this folder does not exist or cannot be read",
  emptyFolder: "this folder holds no page",
  unreadableFeed: "this feed cannot be read at the moment: check its URL",
} satisfies Sentences<typeof french>

interface InProject {
  project: string
  id: string
}
