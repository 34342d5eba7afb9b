import type { AccountDeps } from "../../accounts/deps.ts"
import type { Provider } from "../../accounts/oidc/provider.ts"
import type { ProjectDeps } from "../../accounts/projects/operations.ts"
import type { AskLimits } from "../../accounts/quotas/ask-limits.ts"
import type { WidgetDeps } from "../../accounts/widget/operations.ts"
import type { MailTestDeps } from "../../accounts/workspaces/operations.ts"
import type { Assistant } from "../../answering/ask/ask.ts"
import type { OidcSettings } from "../../config/oidc.ts"
import type { FormDeps } from "../../forms/deps.ts"
import type { Access } from "../../http/access.ts"
import type { Exports } from "../../http/csv.ts"
import type { Embeddings } from "../../index/embedding/embeddings.ts"
import type { Reindexing } from "../../indexing/reindexing.ts"
import type { ServiceCheckDeps } from "../../ops/checks/services.ts"
import type { EndpointDeps } from "../../webhooks/endpoints/operations.ts"
import type { MessageDeps } from "../../webhooks/messages/operations.ts"

export interface ConsoleDeps
  extends FormDeps,
    EndpointDeps,
    ProjectDeps,
    AccountDeps,
    WidgetDeps,
    Pick<MailTestDeps, "testMail">,
    Pick<MessageDeps, "testValues">,
    Omit<ServiceCheckDeps, "config"> {
  access: Access
  assistant: Assistant
  messageQueue: FormDeps["messageQueue"]
  reindexing: Reindexing
  embeddings: Embeddings
  exports: Exports
  /** By which operators sign in over OpenID Connect, if any. */
  provider: Provider | undefined
  config: FormDeps["config"] &
    ServiceCheckDeps["config"] & {
      ask: AskLimits & { answerRetentionDays: number }
      auditLogRetentionDays: number
      passwordSignIn: boolean
      oidc: OidcSettings | undefined
    }
}
