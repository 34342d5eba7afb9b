import type { Db } from "../db/connection.ts"
import type { FormDeps } from "../forms/deps.ts"
import { openRoutes, type Route } from "../http/routes.ts"
import { askHandlers } from "./ask.ts"
import type { AskDeps } from "./ask-record.ts"
import { confirmationHandlers } from "./confirmation-links.ts"
import { fileLinkHandler } from "./file-links.ts"
import { formCheckHandlers } from "./form-checks.ts"
import { publicFormHandlers } from "./form-posts.ts"
import { llmsHandlers } from "./llms.ts"
import { mcpHandlers } from "./mcp/mcp.ts"
import { scriptHandlers } from "./scripts.ts"
import { searchHandler } from "./search.ts"
import { teamPageHandler } from "./team-page.tsx"
import { uploadedFileHandler } from "./uploads.ts"
import { widgetHandlers } from "./widget.ts"

/**
 * The route table of visitors. `site`: pages of other sites may read the reply (http/cors.ts), and whatever takes
 * something in compares their origin with the declared ones. `link`: the address itself is the secret.
 */
export function visitorRoutes(deps: FormDeps & AskDeps & { relaxed: Db }): Route[] {
  const ask = askHandlers(deps)
  const mcp = mcpHandlers(deps)
  const llms = llmsHandlers(deps)
  const widget = widgetHandlers(deps)
  const forms = publicFormHandlers(deps)
  const checks = formCheckHandlers(deps)
  const { consent, notice } = confirmationHandlers(deps)
  const scripts = scriptHandlers(deps)

  return openRoutes({
    "POST /api/v1/ask": ["site", ask.ask],
    "POST /api/v1/answers/:id/feedback": ["site", ask.feedback],
    "POST /api/v1/answers/:id/opened": ["site", ask.opened],
    "POST /api/v1/answers/:id/related": ["site", ask.related],
    "POST /api/v1/search": ["site", searchHandler(deps)],
    "GET /api/v1/projects/:id/widget": ["site", widget.look],
    "GET /api/v1/projects/:id/contact": ["site", widget.contact],
    "POST /api/v1/projects/:id/contact/answer": ["site", widget.answer],
    "POST /api/v1/projects/:id/contact/solved": ["site", widget.solved],
    "POST /mcp/:project": ["site", mcp.call],
    "GET /mcp/:project": ["site", mcp.refuse],
    "DELETE /mcp/:project": ["site", mcp.refuse],
    "GET /llms/:project/llms.txt": ["anyone", llms.list],
    "GET /llms/:project/llms-full.txt": ["anyone", llms.full],
    "GET /q/:project": ["anyone", teamPageHandler(deps)],
    "GET /uploads/:id/:name": ["anyone", uploadedFileHandler(deps)],
    "POST /f/:publicId": ["site", forms.post],
    "GET /f/:publicId": ["anyone", forms.page],
    "GET /f/:publicId/thanks": ["anyone", forms.thanks],
    "GET /f/:publicId/start": ["site", forms.start],
    "POST /f/:publicId/answer": ["site", checks.answer],
    "POST /f/:publicId/solved": ["site", checks.solved],
    "GET /files/:link/:name": ["link", fileLinkHandler(deps)],
    "GET /consent/:token": ["link", consent.show],
    "POST /consent/:token": ["link", consent.confirm],
    "GET /notice/:token": ["link", notice.show],
    "POST /notice/:token": ["link", notice.confirm],
    "GET /scripts.json": ["anyone", scripts.list],
    "GET /widget.js": ["anyone", scripts.current("widget")],
    "GET /form.js": ["anyone", scripts.current("form")],
    "GET /form.css": ["anyone", scripts.current("form_css")],
    "GET /contact.js": ["anyone", scripts.current("contact")],
    "GET /related.js": ["anyone", scripts.current("related")],
    "GET /search.js": ["anyone", scripts.current("search")],
    "GET /offer.js": ["anyone", scripts.current("offer")],
    "GET /conditions.js": ["anyone", scripts.current("conditions")],
    "GET /proof.js": ["anyone", scripts.current("proof")],
    "GET /widget/:file": ["anyone", scripts.version("widget")],
    "GET /form/:file": ["anyone", scripts.version("form")],
    "GET /contact/:file": ["anyone", scripts.version("contact")],
    "GET /related/:file": ["anyone", scripts.version("related")],
    "GET /search/:file": ["anyone", scripts.version("search")],
    "GET /offer/:file": ["anyone", scripts.version("offer")],
    "GET /conditions/:file": ["anyone", scripts.version("conditions")],
    "GET /proof/:file": ["anyone", scripts.version("proof")],
  })
}
