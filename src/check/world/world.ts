import { setTimeout as wait } from "node:timers/promises";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { serviceAccountUser, type ServiceAccountUser } from "../../apimachinery/service-account.ts";
import { isApiError } from "../../apimachinery/status.ts";
import type { Client } from "../../client/client.ts";
import { createClient } from "../../client/create-client.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { applyManifests } from "../../client/manifests/apply-manifests.ts";
import { installCrds } from "../../client/manifests/install-crds.ts";
import type { Manifest } from "../../client/manifests/read-manifests.ts";
import { formatKubeconfig } from "../../sandbox/format-kubeconfig.ts";
import { startSandbox, type Sandbox } from "../../sandbox/start-sandbox.ts";
import type { WebhookEndpoint } from "../../sandbox/webhooks/webhook-endpoint.ts";
import { isAmong, refOf, type Action, type ObjectRef, type Step } from "../scenario/scenario.ts";
import { act, deleteObject } from "./act.ts";
import { expireLeases } from "./expire-leases.ts";
import type { Host, OperatorWebhooks } from "./host.ts";
import { LogWatch } from "./log-watch.ts";
import { normalizeState, type ObjectState } from "./object-state.ts";
import { Downtime, outlastRestarts } from "./outlast-restarts.ts";
import type { Operator, OperatorCommand } from "./operator.ts";
import type { Breakdown, RunRecord, StepRecord } from "./run-record.ts";
import { openProcessHost } from "./process-host.ts";
import { Traffic } from "./traffic.ts";
import { waitingPods } from "./waiting-pods.ts";

/** The operator under test, and the objects that it needs on the server. */
export interface Subject {
  readonly command: OperatorCommand;
  readonly crds: readonly UnstructuredObject[];
  /** Objects that exist before the operator starts, such as its roles and namespace. */
  readonly before: readonly Manifest[];
  /** The service account that the operator runs as if its roles are enforced. */
  readonly account?: { readonly namespace: string; readonly name: string } | undefined;
  /** The namespace of the samples, unless they name one; by default `default`. */
  readonly namespace?: string | undefined;
  /** The webhooks that the operator serves, for admission or for conversion. */
  readonly webhooks?: ServedWebhooks | undefined;
}

export interface ServedWebhooks {
  readonly configurations: readonly UnstructuredObject[];
  /** Returns the command with which the operator serves at an endpoint. */
  readonly commandAt: (endpoint: WebhookEndpoint) => OperatorCommand;
}

/** The time without a change after which the operator is believed to rest. */
export interface Patience {
  readonly quietMs: number;
  /** The time in which it must come to rest, and reach the expected state. */
  readonly limitMs: number;
  /** The time without a change, a request and an error after which it is not expected to do anything more. */
  readonly idleMs?: number | undefined;
  /** The time after an error in which the operator is expected to try again: shorter than this it does not rest. */
  readonly retryMs?: number;
  /** The time without a change after which errors are believed to go on for ever. */
  readonly retriesMs?: number;
}

/** The account of an operator without roles. */
const anyAccount = { namespace: "tsop-check", name: "operator" };

/** The time that a pod has by default to end itself. */
const graceMs = 30_000;

/** The writes after which an operator is not believed to come to rest any more. */
const mostWrites = 2_000;

/** A fresh server with a fresh operator. */
export class World {
  readonly traffic: Traffic;
  readonly steps: StepRecord[] = [];
  /** True once the fault has done something. */
  struck = false;
  /** The version of the operator that runs. */
  private subject: Subject;
  /** The version that takes its place in an upgrade. */
  private readonly next: Subject | undefined;
  private readonly user: ServiceAccountUser;
  private refusal: string | undefined;
  private readonly log: LogWatch;
  private readonly breakdowns: Breakdown[] = [];
  private readonly unsupported = new Set<string>();
  private readonly waiting = new Set<string>();
  private readonly started = performance.now();
  private readonly stopping = new AbortController();
  private readonly operators: Operator[] = [];
  private readonly openHost: () => Promise<Host>;
  private host!: Host;
  private webhooks: OperatorWebhooks | undefined;
  private sandbox!: Sandbox;
  private users!: Client;
  private readonly downtime = new Downtime();
  private kubeconfig = "";
  private slowestMs = 0;
  /** The end of the user's last apply. */
  private applied: Promise<void> | undefined;

  constructor(subject: Subject, next?: Subject, openHost: () => Promise<Host> = openProcessHost) {
    this.subject = subject;
    this.openHost = openHost;
    this.next = next;
    const { namespace, name } = subject.account ?? anyAccount;
    this.user = serviceAccountUser(namespace, name);
    this.traffic = new Traffic({ operator: this.user.username, now: () => this.now() });
    this.log = new LogWatch(
      (lines) => this.noteBreakdown("logged a panic", lines),
      () => this.now(),
    );
  }

  /** Milliseconds since the start. */
  now(): number {
    return Math.round(performance.now() - this.started);
  }

  /** An administrator's client, whose requests outlast a restart of the operator by a fault. */
  get client(): Client {
    return this.users;
  }

  get namespace(): string {
    return this.subject.namespace ?? "default";
  }

  /** Starts the server, and installs the objects that the operator needs. */
  async open(): Promise<void> {
    const { subject, next } = this;
    const { account } = subject;
    this.host = await this.openHost();
    if (subject.webhooks ?? next?.webhooks) this.webhooks = await this.host.openWebhooks();
    const { listen } = this.host;
    this.sandbox = await startSandbox(
      {
        pace: { min: 0, max: 5 },
        rbac: account !== undefined,
        intercept: (request, next) => this.traffic.intercept(request, next),
        onAudit: (event) => this.traffic.record(event),
        onChange: this.traffic.follow,
        onUnsupported: ({ message }) => void this.unsupported.add(message),
        ...(this.webhooks && { webhooks: this.webhooks }),
        ...(listen && { listen }),
      },
      this.stopping.signal,
    );
    this.users = createClient({ transport: outlastRestarts(this.sandbox.transport, this.downtime) });
    await this.install(subject);
    const config = this.sandbox.addUser(this.user);
    // A pod, too, has its Lease in the namespace of its account, whose role allows it nowhere else.
    this.kubeconfig = formatKubeconfig({ ...config, namespace: account?.namespace ?? config.namespace });
    this.traffic.objects.clear();
    this.traffic.written.clear();
    this.traffic.requests.length = 0;
  }

  private async install({ crds, before, account, webhooks }: Subject): Promise<void> {
    const { client } = this;
    await installCrds(client, crds, { signal: this.stopping.signal });
    await applyManifests({ client, namespace: account?.namespace ?? "default" }, [
      ...before,
      ...(webhooks?.configurations ?? []).map((object) => ({ file: "the configuration of webhooks", object })),
    ]);
  }

  /**
   * Replaces the running version by the other one: stops the one, applies the manifests of the other one, and starts it.
   * Returns false if the server refuses the manifests.
   */
  async upgrade(): Promise<boolean> {
    const { traffic, next } = this;
    if (!next) throw new TsopError("TSOP_CHECK_NO_OLDER_VERSION", {});
    await this.operator?.stop(graceMs);
    await expireLeases(this.client);
    traffic.isInstalling = true;
    try {
      await this.uninstallWebhooks(next);
      await this.install(next);
    } catch (error) {
      if (!isApiError(error) && (error as TsopError).code !== "TSOP_MANIFEST_REFUSED") throw error;
      this.refusal = (error as Error).message;
      return false;
    } finally {
      traffic.isInstalling = false;
    }
    this.subject = next;
    this.forgetWatches();
    this.startOperator();
    return true;
  }

  /** Deletes the configurations of webhooks that the other version does not have. */
  private async uninstallWebhooks({ webhooks }: Subject): Promise<void> {
    const kept = webhooks?.configurations.map(refOf) ?? [];
    for (const old of this.subject.webhooks?.configurations.map(refOf) ?? [])
      if (!isAmong(kept, old)) await deleteObject(this, old);
  }

  /** Starts an instance of the operator. */
  startOperator(): Operator {
    const { webhooks } = this.subject;
    const command = webhooks && this.webhooks ? webhooks.commandAt(this.webhooks.next()) : this.subject.command;
    const operator = this.host.startOperator(command, this.kubeconfig, {
      onLine: (line) => this.log.read(line, this.traffic.step),
      onEnd: (how) => this.noteBreakdown(how, this.lastLines),
    });
    this.operators.push(operator);
    this.downtime.end(() => this.untilServing());
    return operator;
  }

  /** True if the operator must run for its custom resources to be written. */
  get hasWebhooks(): boolean {
    return this.subject.webhooks !== undefined;
  }

  /** Waits until the operator serves its webhooks, if it has any, and returns false if it does not. */
  async untilServing(): Promise<boolean> {
    if (!this.hasWebhooks || !this.webhooks) return true;
    const hasEnded = this.operator?.ended.then(() => false) ?? false;
    return Promise.race([hasEnded, this.webhooks.untilServing(this.stopping.signal)]);
  }

  /** Returns the error of an operator that has ended, or has not begun its work in time, with the end of its log. */
  silenceError(): TsopError {
    return new TsopError("TSOP_CHECK_OPERATOR_SILENT", { reason: this.whySilent() });
  }

  /** Returns the error of an operator that has ended, or does not serve its webhooks. */
  unservedError(): TsopError {
    const port = this.webhooks?.current.port;
    if (port === undefined || this.breakdowns.length > 0) return this.silenceError();
    return new TsopError("TSOP_CHECK_WEBHOOKS_SILENT", { port, reason: this.whySilent() });
  }

  private whySilent(): string {
    const [breakdown] = this.breakdowns;
    const reason = breakdown ? `it ${breakdown.how}` : `${Math.round(this.now() / 1000)} s have passed`;
    return [reason, ...(breakdown?.lines ?? this.lastLines)].join("\n");
  }

  /** The last lines of the operator's log. */
  get lastLines(): readonly string[] {
    return this.log.tail.slice(-15);
  }

  private get groups(): readonly string[] {
    return this.subject.crds.map(({ spec }) => (spec as { group: string }).group);
  }

  /** The instance that was started last. */
  get operator(): Operator | undefined {
    return this.operators.at(-1);
  }

  /** Kills the operator. A lease that it held is released, as if it had expired. */
  async killOperator(): Promise<void> {
    this.downtime.begin();
    await this.operator?.kill();
    await expireLeases(this.client);
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

  /** Carries out an action of a user. */
  act(action: Action): Promise<void> {
    const acting = act(this, action);
    // A wait may be for the very request that the deletion holds up.
    if (action.type === "apply") this.applied = acting.catch(() => undefined);
    return acting;
  }

  /** Deletes the custom resources that the steps apply, once all of them exist. */
  async deleteCustomResources(steps: readonly Step[], targets: readonly ObjectRef[]): Promise<void> {
    await this.applied;
    const applied = steps.flatMap(({ action }) => (action.type === "apply" ? action.objects.map(refOf) : []));
    for (const object of applied) {
      if (isAmong(targets, object) && this.groups.some((group) => object.apiVersion.startsWith(`${group}/`)))
        await deleteObject(this, object);
    }
  }

  /** Returns the revision of the state in which the custom resources were being deleted for the first time. */
  revisionOfDeletion(): string | undefined {
    for (const { changes } of this.traffic.requests)
      for (const { id, after } of changes)
        if (after?.metadata.deletionTimestamp !== undefined && this.isCustom(id)) return after.metadata.resourceVersion;
    return undefined;
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
    { quietMs, limitMs, idleMs = limitMs, retryMs = 0, retriesMs = limitMs }: Patience,
    reached: (state: ObjectState) => boolean = () => true,
  ): Promise<boolean> {
    const end = performance.now() + limitMs;
    const from = this.now();
    const { length: before } = this.traffic.requests;
    for (;;) {
      if (this.traffic.requests.length - before > mostWrites) return false;
      const since = this.now() - Math.max(this.traffic.lastChange, from);
      const retries = since < retriesMs && this.log.lastError > from && this.now() - this.log.lastError < retryMs;
      const isQuiet = since >= quietMs && this.traffic.pending === 0 && !retries;
      if (isQuiet && reached(this.state())) return true;
      if (performance.now() > end || (isQuiet && this.isIdle(from, idleMs))) return false;
      await wait(Math.max(5, Math.min(50, quietMs - since)));
    }
  }

  private isIdle(from: number, idleMs: number): boolean {
    const { lastChange, lastRequest } = this.traffic;
    return this.now() - Math.max(from, lastChange, lastRequest, this.log.lastError) >= idleMs;
  }

  /** Notes the state at the end of a step, for which the run has waited since `from`. */
  finishStep(name: string, { quiet, from }: { readonly quiet: boolean; readonly from: number }): void {
    const ended = this.now();
    if (quiet) this.slowestMs = Math.max(this.slowestMs, ended - from);
    this.steps.push({ name, state: this.state(), quiet, ended });
  }

  async noteWaitingPods(): Promise<void> {
    for (const pod of await waitingPods(this.client)) this.waiting.add(pod);
  }

  get record(): RunRecord {
    const { steps, breakdowns, slowestMs, struck, refusal } = this;
    return {
      steps,
      requests: this.traffic.requests,
      breakdowns,
      errors: this.log.errors,
      unreached: this.log.unreached,
      watched: this.traffic.watched,
      leases: this.traffic.leases,
      unsupported: [...this.unsupported, ...[...this.log.unreached.values()].slice(0, 1)],
      waiting: [...this.waiting],
      slowestMs,
      struck,
      refusal,
    };
  }

  /** Stops the operator and the server. */
  async close(): Promise<void> {
    await Promise.all(this.operators.map((operator) => operator.kill()));
    this.stopping.abort();
    await this.sandbox?.done;
    await this.host?.close();
  }

  /** Notes that a version which has taken over does not begin its work. */
  noteSilence(): void {
    this.noteBreakdown("did not begin to watch its kinds", this.lastLines);
  }

  private noteBreakdown(how: string, lines: readonly string[]): void {
    this.breakdowns.push({ at: this.now(), step: this.traffic.step, how, lines });
  }
}
