import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { Client } from "../../client/client.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import { mergePatch } from "../../client/patches.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { applyManifests } from "../../manifests/apply-manifests.ts";
import { installCrds } from "../../manifests/install-crds.ts";
import type { Manifest } from "../../manifests/read-manifests.ts";
import { formatKubeconfig } from "../../sandbox/format-kubeconfig.ts";
import { startSandbox, type Sandbox } from "../../sandbox/start-sandbox.ts";
import { formatRef, refOf, type Action, type ObjectRef, type Step } from "../scenario/scenario.ts";
import { LogWatch } from "./log-watch.ts";
import { normalizeState, type ObjectState } from "./object-state.ts";
import { OperatorProcess, type OperatorCommand } from "./operator-process.ts";
import type { Breakdown, RunRecord, StepRecord } from "./run-record.ts";
import { isLeaderAnnotated, Traffic } from "./traffic.ts";

/** The operator under test, and the objects that it needs on the server. */
export interface Subject {
  readonly command: OperatorCommand;
  readonly crds: readonly UnstructuredObject[];
  /** Objects that exist before the operator starts, such as its roles and namespace. */
  readonly before: readonly Manifest[];
  /** The service account that the operator runs as if its roles are enforced. */
  readonly account?: { readonly namespace: string; readonly name: string } | undefined;
}

/** The time without a change after which the operator is believed to rest. */
export interface Patience {
  readonly quietMs: number;
  /** The time in which it must come to rest, and reach the expected state. */
  readonly limitMs: number;
  /** The time after an error in which the operator is expected to try again: shorter than this it does not rest. */
  readonly retryMs?: number;
}

const operatorUser = "system:serviceaccount:tsop-check:operator";

/** A fresh server with a fresh operator. */
export class World {
  readonly traffic: Traffic;
  readonly steps: StepRecord[] = [];
  /** True once the fault has done something. */
  struck = false;
  private readonly subject: Subject;
  private readonly log: LogWatch;
  private readonly breakdowns: Breakdown[] = [];
  private readonly unsupported = new Set<string>();
  private readonly started = performance.now();
  private readonly stopping = new AbortController();
  private readonly processes: OperatorProcess[] = [];
  private sandbox!: Sandbox;
  private folder = "";

  constructor(subject: Subject) {
    this.subject = subject;
    const { account } = subject;
    const operator = account ? `system:serviceaccount:${account.namespace}:${account.name}` : operatorUser;
    this.traffic = new Traffic({ operator, now: () => this.now() });
    this.log = new LogWatch(
      (lines) => this.noteBreakdown("logged a panic", lines),
      () => this.now(),
    );
  }

  /** Milliseconds since the start. */
  now(): number {
    return Math.round(performance.now() - this.started);
  }

  get client(): Client {
    return this.sandbox.client;
  }

  /** Starts the server, and installs what the operator needs. */
  async open(): Promise<void> {
    const { crds, before, account } = this.subject;
    this.folder = await mkdtemp(join(tmpdir(), "tsop-check-"));
    this.sandbox = await startSandbox(
      {
        pace: { min: 0, max: 5 },
        rbac: account !== undefined,
        intercept: (request, next) => this.traffic.intercept(request, next),
        onAudit: (event) => this.traffic.record(event),
        onUnsupported: ({ message }) => void this.unsupported.add(message),
      },
      this.stopping.signal,
    );
    const { client } = this.sandbox;
    await installCrds(client, crds, { signal: this.stopping.signal });
    await applyManifests({ client, namespace: account?.namespace ?? "default" }, before);
    const username = account ? `system:serviceaccount:${account.namespace}:${account.name}` : operatorUser;
    const groups = ["system:serviceaccounts", `system:serviceaccounts:${account?.namespace ?? "tsop-check"}`];
    await writeFile(this.kubeconfig, formatKubeconfig(this.sandbox.addUser({ username, groups })), { mode: 0o600 });
    this.traffic.objects.clear();
    this.traffic.written.clear();
    this.traffic.requests.length = 0;
  }

  /** Starts a process of the operator. */
  startOperator(): OperatorProcess {
    const operator = new OperatorProcess(this.subject.command, this.kubeconfig, {
      onLine: (line) => this.log.read(line, this.traffic.step),
      onEnd: (how) => this.noteBreakdown(how, this.log.tail.slice(-15)),
    });
    this.processes.push(operator);
    return operator;
  }

  private get groups(): readonly string[] {
    return this.subject.crds.map(({ spec }) => (spec as { group: string }).group);
  }

  /** The process that was started last. */
  get operator(): OperatorProcess | undefined {
    return this.processes.at(-1);
  }

  /** Kills the operator. A lease that it held is released, as if it had expired. */
  async killOperator(): Promise<void> {
    await this.operator?.kill();
    await this.expireLeases();
  }

  /** Reports whether the operator watches a kind of its CRDs. */
  isWatched(): boolean {
    return [...this.traffic.watched].some((path) => this.isCustom(path));
  }

  /** Reports whether a path is one of a custom resource. */
  isCustom(path: string): boolean {
    return this.groups.some((group) => path.startsWith(`${group}/`));
  }

  /** Returns the paths that were watched so far, and forgets them. */
  forgetWatches(): readonly string[] {
    const watched = [...this.traffic.watched];
    this.traffic.watched.clear();
    return watched;
  }

  isWatching(paths: readonly string[]): boolean {
    return paths.every((path) => this.traffic.watched.has(path));
  }

  /** Deletes the custom resources that the steps apply. */
  async deleteCustomResources(steps: readonly Step[]): Promise<void> {
    const applied = steps.flatMap(({ action }) => (action.type === "apply" ? action.objects : []));
    for (const object of applied)
      if (this.groups.some((group) => object.apiVersion?.startsWith(`${group}/`))) await this.delete(refOf(object));
  }

  /** Carries out what a user does. */
  async act(action: Action): Promise<void> {
    switch (action.type) {
      case "apply":
        await applyManifests(
          { client: this.client, namespace: "default" },
          action.objects.map((object) => ({ file: "scenario", object: structuredClone(object) })),
        );
        return;
      case "patch":
        await this.patch(action.target, action.patch);
        return;
      case "delete":
        for (const target of action.targets) await this.delete(target);
        return;
      case "wait":
        await this.untilCondition(action);
    }
  }

  /** The written objects and the claims for storage, in a form that can be compared. */
  state(): ObjectState {
    const { objects, written } = this.traffic;
    const compared = [...objects].filter(([id]) => written.has(id) || id.startsWith("/persistentvolumeclaims "));
    return normalizeState(new Map(compared));
  }

  /**
   * Waits until nothing changes any more and no request of the operator is under way; with `reached`, until the state is
   * right as well. Returns false if that takes too long.
   */
  async settle(
    { quietMs, limitMs, retryMs = 0 }: Patience,
    reached: (state: ObjectState) => boolean = () => true,
  ): Promise<boolean> {
    const end = performance.now() + limitMs;
    const from = this.now();
    for (;;) {
      const since = this.now() - Math.max(this.traffic.lastChange, from);
      const retries = this.log.lastError > from && this.now() - this.log.lastError < retryMs;
      const isQuiet = since >= quietMs && this.traffic.pending === 0 && !retries;
      if (isQuiet && reached(this.state())) return true;
      if (performance.now() > end) return false;
      await wait(Math.max(5, Math.min(50, quietMs - since)));
    }
  }

  finishStep(name: string, quiet: boolean): void {
    this.steps.push({ name, state: this.state(), quiet, ended: this.now() });
  }

  get record(): RunRecord {
    const { steps, breakdowns, struck } = this;
    return {
      steps,
      requests: this.traffic.requests,
      breakdowns,
      errors: this.log.errors,
      leases: this.traffic.leases,
      unsupported: [...this.unsupported],
      struck,
    };
  }

  /** Stops the operator and the server. */
  async close(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.kill()));
    this.stopping.abort();
    await this.sandbox?.done;
    if (this.folder) await rm(this.folder, { recursive: true, force: true });
  }

  private get kubeconfig(): string {
    return join(this.folder, "kubeconfig");
  }

  private noteBreakdown(how: string, lines: readonly string[]): void {
    this.breakdowns.push({ at: this.now(), step: this.traffic.step, how, lines });
  }

  private async patch(target: ObjectRef, patch: object): Promise<void> {
    const kind = await this.kindOf(target);
    await this.client.patch(kind, placed(kind, target), mergePatch({ ...patch }));
  }

  private async delete(target: ObjectRef): Promise<void> {
    const kind = await this.kindOf(target);
    await this.client.delete(kind, placed(kind, target)).catch(ignoreNotFound);
  }

  private async untilCondition({ target, condition, status }: Action & { type: "wait" }): Promise<void> {
    const kind = await this.kindOf(target);
    const end = performance.now() + conditionLimitMs;
    for (;;) {
      const object = await this.client.get(kind, placed(kind, target));
      const { conditions = [] } = (object["status"] ?? {}) as { conditions?: { type: string; status: string }[] };
      if (conditions.some((each) => each.type === condition && each.status === status)) return;
      if (performance.now() > end)
        throw new TsopError("TSOP_CHECK_CONDITION_MISSED", { object: formatRef(target), condition, status });
      await wait(50);
    }
  }

  private kindOf({ apiVersion, kind }: ObjectRef): Promise<Kind<UnstructuredObject>> {
    return this.client.kindFor(apiVersion, kind);
  }

  /** Deletes the leases of an operator that is gone, which would otherwise have to expire. */
  async expireLeases(): Promise<void> {
    const { items } = await this.client.list(leases);
    for (const lease of items) await this.client.delete(leases, lease.metadata).catch(ignoreNotFound);
    const maps = await this.client.list(configMaps);
    for (const { metadata } of maps.items)
      if (isLeaderAnnotated(metadata)) await this.client.delete(configMaps, metadata).catch(ignoreNotFound);
  }
}

/** Fills in the namespace in which manifests are applied. */
function placed({ scope }: Kind, target: ObjectRef): ObjectRef {
  return scope === "Namespaced" ? { namespace: "default", ...target } : target;
}

const leases = defineKind({
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
  scope: "Namespaced",
});

const configMaps = defineKind({
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  scope: "Namespaced",
});

/** The time in which a condition must be met that a scenario waits for. */
const conditionLimitMs = 30_000;
