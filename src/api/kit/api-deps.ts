import type { AccountDeps } from "../../accounts/deps.ts"
import type { ProjectDeps } from "../../accounts/projects/operations.ts"
import type { AskLimits } from "../../accounts/quotas/ask-limits.ts"
import type { TokenDeps } from "../../accounts/tokens/operations.ts"
import type { WidgetDeps } from "../../accounts/widget/operations.ts"
import type { MailTestDeps, WorkspaceDeps } from "../../accounts/workspaces/operations.ts"
import type { Assistant } from "../../answering/ask/ask.ts"
import type { FormDeps } from "../../forms/deps.ts"
import type { Exports } from "../../http/csv.ts"
import type { IndexingDeps } from "../../indexing/operations.ts"
import type { ServiceCheckDeps } from "../../ops/checks/services.ts"
import type { Metrics } from "../../ops/metrics.ts"
import type { ChosenDeps } from "../../owners/chosen/operations.ts"
import type { EvaluationDeps } from "../../owners/evaluation/operations.ts"
import type { UploadDeps } from "../../reading/kinds/upload/uploads.ts"
import type { EndpointDeps } from "../../webhooks/endpoints/operations.ts"
import type { MessageDeps } from "../../webhooks/messages/operations.ts"

/** The parts of the running program that the API calls. */
export type ApiDeps = FormDeps &
  EndpointDeps &
  MessageDeps &
  ProjectDeps &
  AccountDeps &
  TokenDeps &
  WidgetDeps &
  WorkspaceDeps &
  MailTestDeps &
  IndexingDeps &
  UploadDeps &
  ChosenDeps &
  EvaluationDeps &
  ServiceCheckDeps & {
    assistant: Assistant
    exports: Exports
    metrics: Pick<Metrics, "text">
    writable(): Promise<boolean>
    config: { ask: AskLimits; secrets: { metricsToken: string | undefined } }
  }
