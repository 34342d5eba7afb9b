import { formHelper } from "./form-helper.ts"
import { languageOf } from "./language.ts"
import { formMessages } from "./messages.fr.ts"
import { ownScript, serviceOf } from "./service.ts"

// `/form.js`: sends the Guichet forms of the page without leaving it. Browser code; without it they work all
// the same.
const script = ownScript("form")
formHelper(serviceOf(script), formMessages[languageOf(script)])
