import type { Project } from "../../src/accounts/project.ts"
import type { NewProject } from "../../src/accounts/projects/record.ts"
import type { ModelLimits } from "../../src/answering/llm/limits.ts"
import type { Overrides } from "../../src/app-parts.ts"
import { type Agency, agency } from "./agency.ts"
import { indexedProject, type Site } from "./ask.ts"
import { type MovableClock, movableClock } from "./clock.ts"
import { type Counter, website } from "./counter.ts"
import { type FirstStart, owner } from "./first-start.ts"
import { type FormSite, formProject } from "./forms.ts"
import { mustEnd } from "./leaks.ts"
import type { Behaviour } from "./models/behaviour.ts"
import type { ProviderName } from "./models/server.ts"
import { type ModelSite, model } from "./models/site.ts"
import type { Answer } from "./receiver.ts"
import { type Part, type Service, type ServicePlan, startService, temporaryFolder } from "./service.ts"
import { receivers, type Webhooks } from "./webhooks.ts"
import { oneOfEach, type World } from "./world.ts"

/**
 * Says what a service is to have, then starts it:
 * `await using site = await aService().withSettings({ … }).withIndexedProject().started()`. What `Has` names
 * stands on the service that `started()` resolves to.
 */
export interface ServiceBuilder<Has extends Service> {
  withSettings(settings: Record<string, string>): ServiceBuilder<Has>
  withOverrides(overrides: Overrides): ServiceBuilder<Has>
  /** One that stands still until it is moved. */
  withClock(clock?: MovableClock): ServiceBuilder<Has & { clock: MovableClock }>
  /**
   * A project whose index holds Guichet's own documentation. `changes` are made to it before it is asked;
   * `existing` is one of a former service on the same data folder.
   */
  withIndexedProject(changes?: Partial<NewProject>, existing?: Project): ServiceBuilder<Has & Site>
  /** The same project, its answers written by a model. */
  withModel(
    provider: ProviderName,
    behaviour?: Behaviour,
    limits?: Partial<ModelLimits>,
    documentation?: string,
  ): ServiceBuilder<Has & ModelSite>
  /** A project whose site is `site` of forms.ts, and forms that are posted to. */
  withForms(): ServiceBuilder<Has & FormSite>
  /** Customers' applications, one for each answer, that the service delivers to over TLS. */
  withReceivers(answers?: readonly Answer[]): ServiceBuilder<Has & Webhooks>
  /** A project of which `documents` and some more are read, and a site whose pages load the widget. */
  withWebsite(
    changes?: Partial<NewProject>,
    documents?: Record<string, string>,
  ): ServiceBuilder<Has & Counter>
  /** Nobody who can sign in yet, but the owner's documentation site and application. */
  withOwner(): ServiceBuilder<Has & FirstStart>
  /** Four clients after a month, with real amounts of everything. */
  withAgency(): ServiceBuilder<Has & Agency>
  /** One of each thing the API speaks of. */
  withOneOfEach(): ServiceBuilder<Has & World>
  started(): Promise<Has>
}

interface Wanted {
  settings: Record<string, string>
  overrides: Overrides
  clock?: MovableClock
  parts: readonly Part<Service>[]
}

export function aService(): ServiceBuilder<Service> {
  return builderOf({ settings: {}, overrides: {}, parts: [] })
}

function builderOf<Has extends Service>(wanted: Wanted): ServiceBuilder<Has> {
  const having = <More extends Service>(part: Part<More>) =>
    builderOf<Has & More>({ ...wanted, parts: [...wanted.parts, part] })
  return {
    withSettings: (settings) => builderOf({ ...wanted, settings: { ...wanted.settings, ...settings } }),
    withOverrides: (overrides) => builderOf({ ...wanted, overrides: { ...wanted.overrides, ...overrides } }),
    withClock: (clock = movableClock()) =>
      builderOf<Has & { clock: MovableClock }>({ ...wanted, clock, parts: [...wanted.parts, clocked] }),
    withIndexedProject: (changes, existing) => having<Site>(indexedProject(changes, existing)),
    withModel: (...described) => having<ModelSite>(model(...described)),
    withForms: () => having<FormSite>(formProject),
    withReceivers: (answers) => having<Webhooks>(receivers(answers)),
    withWebsite: (changes, documents) => having<Counter>(website(changes, documents)),
    withOwner: () => having<FirstStart>(owner),
    withAgency: () => having<Agency>(agency),
    withOneOfEach: () => having<World>(oneOfEach),
    started: () => start(wanted) as Promise<Has>,
  }
}

const clocked: Part<Service & { clock: MovableClock }> =
  async ({ clock }) =>
  async () => ({
    clock: clock as MovableClock,
  })

async function start({ settings, overrides, clock, parts }: Wanted): Promise<Service> {
  const ended = mustEnd("a service")
  await using resources = new AsyncDisposableStack()
  resources.defer(ended)
  const dataDir = settings["GUICHET_DATA_DIR"] ?? resources.use(temporaryFolder()).path
  const plan: ServicePlan = { settings, overrides, ...(clock && { clock }), dataDir, resources }
  const added: ((service: Service) => Promise<object>)[] = []
  for (const part of parts) added.push(await part(plan))
  const service = resources.use(await startService(plan))
  for (const add of added) Object.assign(service, await add(service))
  const kept = resources.move()
  return Object.assign(service, { [Symbol.asyncDispose]: () => kept.disposeAsync() })
}
