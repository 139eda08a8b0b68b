import { join } from "node:path";
import type { UnstructuredObject } from "../apimachinery/meta.ts";
import { foreignCrds } from "../codegen/foreign-crds.ts";
import { applyPlan } from "../files/apply.ts";
import type { Disk } from "../files/disk.ts";
import { lockFolder, ownFolder } from "../files/lock-folder.ts";
import type { LockHolder } from "../files/take-lock.ts";
import type { OperatorBuilder } from "./operator/build-operator.ts";
import { applyManifests } from "../client/manifests/apply-manifests.ts";
import { expectedKinds, loadProject } from "../project/load-project.ts";
import { foreignFolders } from "../project/project.ts";
import { generateWithSchemas } from "./schema-kinds.ts";
import type { Target } from "./target/choose-target.ts";
import type { LocalEvent } from "./local-event.ts";
import { makeWebhookEndpoint, type WebhookEndpoint } from "../sandbox/webhooks/webhook-endpoint.ts";
import { installWebhooks, routeConversion } from "../sandbox/webhooks/route-webhooks.ts";
import { installRoles, type OperatorAccount } from "./target/operator-roles.ts";
import {
  convertedKinds,
  needsWebhooks,
  readProjectManifests,
  type ProjectManifests,
} from "./target/project-manifests.ts";
import type { ProjectRing } from "./target/project-ring.ts";
import { TsopError } from "../errors/tsop-error.ts";
import { isKindNotServed } from "../client/calls/api-caller.ts";
import type { Client } from "../client/client.ts";
import { installCrds } from "../client/manifests/install-crds.ts";

export interface PreparationOptions {
  readonly root: string;
  /** Version of this tool. */
  readonly version: string;
  readonly install?: boolean | undefined;
  readonly disk: Disk;
  readonly builder: OperatorBuilder;
  /** The ring of shards to create on the embedded server. */
  readonly ring: ProjectRing | undefined;
  /** Folder of the webhooks' certificate. */
  readonly certificates: string;
  /** The environment of the run; the operator gets its ENABLE_WEBHOOKS. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly emit: (event: LocalEvent) => void;
}

/** The server that the operator runs against. */
export interface PreparedServer {
  readonly target: Target;
  /** The account whose roles are installed, if the server enforces them. */
  readonly roles: OperatorAccount | undefined;
}

/** Prepares an operator to start: generated files, CRDs on the server, a bundle. */
export class Preparation {
  private readonly options: PreparationOptions;
  /** The files and CRDs that the server was prepared with. */
  private prepared: string | undefined;
  /** The CRDs of other projects' kinds whose types the project has. */
  private foreign: readonly UnstructuredObject[] = [];
  private endpoint: WebhookEndpoint | undefined;
  private leftOut = false;
  /** Whether the bundle is new, if the sources were prepared ahead of the server. */
  private ahead: boolean | undefined;

  constructor(options: PreparationOptions) {
    this.options = options;
  }

  /** The address of the operator's webhooks, if it has any. */
  get webhooks(): WebhookEndpoint | undefined {
    return this.endpoint;
  }

  /** True if the operator has webhooks that are not called: the user turned them off, or a cluster can't reach them. */
  get webhooksLeftOut(): boolean {
    return this.leftOut;
  }

  /**
   * Generates and builds, so that errors of the sources are found before there is a server. The next `run` has less to
   * do.
   */
  async prepareSources(): Promise<void> {
    await this.generate();
    this.ahead = await this.build();
  }

  /** Returns true if the bundle is new. Throws the errors of the sources or of the server. */
  async run(server: PreparedServer): Promise<boolean> {
    const { ahead } = this;
    this.ahead = undefined;
    if (ahead === undefined) await this.generate();
    const [building, preparing] = await Promise.allSettled([ahead ?? this.build(), this.prepareServer(server)]);
    // Both have ended: the server stops after an error, and its preparation would go on without it.
    if (building.status === "rejected") throw building.reason;
    if (preparing.status === "rejected") throw preparing.reason;
    return building.value;
  }

  private async generate(): Promise<void> {
    const { root, version, disk, signal, emit } = this.options;
    const onWait = (holder: LockHolder): void => emit({ type: "waiting", ...holder });
    const lock = await lockFolder(root, disk, { purpose: "tsop run --local", signal, onWait });
    try {
      if (lock.recovered) emit({ type: "recovered", ...lock.recovered });
      const loaded = await loadProject(root, disk);
      const outputs = ["crd", "rbac", "webhook", "kinds"] as const;
      const required = expectedKinds(loaded);
      const { plan, warnings, kinds } = await generateWithSchemas({ root, version, disk, outputs, kinds: required });
      this.foreign = foreignCrds(kinds, foreignFolders(loaded.project));
      const record = join(root, ownFolder);
      const { created, updated, removed } = await applyPlan(plan, disk, { force: true, record });
      emit({ type: "generated", changed: [...created, ...updated, ...removed], warnings });
    } finally {
      await lock.release();
    }
  }

  private async build(): Promise<boolean> {
    const begin = performance.now();
    const isNew = await this.options.builder.build();
    if (isNew) this.options.emit({ type: "built", milliseconds: Math.round(performance.now() - begin) });
    return isNew;
  }

  private async prepareServer({ target, roles }: PreparedServer): Promise<void> {
    const { root, install = false, certificates, ring, env, signal, emit } = this.options;
    const foreign = target.embedded ? this.foreign : [];
    const files = JSON.stringify([await this.readServerFiles(), foreign]);
    if (files === this.prepared) return;
    const manifests = await readProjectManifests(root);
    const isOff = env["ENABLE_WEBHOOKS"] === "false";
    this.leftOut = needsWebhooks(manifests) && (isOff || !target.embedded);
    if (this.leftOut) emit({ type: "webhooksLeftOut", isOff, unconverted: isOff ? convertedKinds(manifests) : [] });
    else if (needsWebhooks(manifests)) this.endpoint ??= await makeWebhookEndpoint(certificates);
    const webhooks = this.endpoint;
    emit({ type: "crds", names: await prepareServer(target, manifests, { install, foreign, webhooks, signal }) });
    if (roles) await installRoles(target, root, roles);
    if (ring && target.embedded) await applyManifests({ ...target, namespace: "default" }, ring.manifests);
    if (webhooks) await installWebhooks(target.client, manifests.webhooks, webhooks);
    this.prepared = files;
  }

  /** Reads the files that the server is prepared with. Commands such as `create api` change it as well as this run. */
  private async readServerFiles(): Promise<unknown> {
    const { root, disk } = this.options;
    const folders = ["crd", "rbac", "webhook"].map((name) => join(root, "config", name));
    const found = await Promise.all(
      folders.map(async (folder) => (await disk.list(folder)).map((path) => join(folder, path))),
    );
    return Promise.all(found.flat().map(async (path) => [path, await disk.read(path)]));
  }
}

interface ServerPreparation {
  readonly install: boolean;
  /** The CRDs of other projects, for the embedded server. */
  readonly foreign: readonly UnstructuredObject[];
  readonly webhooks: WebhookEndpoint | undefined;
  readonly signal: AbortSignal;
}

/** Installs CRDs and returns their names. On a cluster without `install`, they must already be served. */
async function prepareServer(
  target: Target,
  { crds }: ProjectManifests,
  { install, foreign, webhooks, signal }: ServerPreparation,
): Promise<string[]> {
  const names = [...crds, ...foreign].map(({ metadata }) => metadata.name ?? "");
  if (target.embedded || install) {
    const own = webhooks ? crds.map((crd) => routeConversion(crd, webhooks)) : crds;
    await installCrds(target.client, [...own, ...foreign], { signal });
    return names;
  }
  const served = await Promise.all(crds.map((crd) => isServed(target.client, crd, signal)));
  const missing = names.filter((_, index) => !served[index]);
  if (missing.length > 0) throw new TsopError("TSOP_CRDS_NOT_INSTALLED", { crds: missing.join(", ") });
  return names;
}

async function isServed(client: Client, { spec }: UnstructuredObject, signal: AbortSignal): Promise<boolean> {
  const { group, names } = spec as { group: string; names: { kind: string } };
  try {
    await client.preferredKindFor(group, names.kind, { signal });
    return true;
  } catch (error) {
    if (isKindNotServed(error)) return false;
    throw error;
  }
}
