import { serviceAccountUser, type ServiceAccountUser } from "../../apimachinery/service-account.ts";
import { isApiError } from "../../apimachinery/status.ts";
import type { Client } from "../../client/client.ts";
import { createClient } from "../../client/create-client.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { applyManifests } from "../../client/manifests/apply-manifests.ts";
import { installCrds } from "../../client/manifests/install-crds.ts";
import { formatKubeconfig } from "../../sandbox/disk/write-kubeconfig.ts";
import { startSandbox, type Sandbox } from "../../sandbox/start-sandbox.ts";
import { isAmong, refOf, type Action, type ObjectRef, type Step } from "../scenario/scenario.ts";
import { act, deleteObject } from "./act.ts";
import { expireLeases } from "./expire-leases.ts";
import type { Host, OperatorWebhooks, Surroundings } from "./host.ts";
import { LogWatch } from "./log-watch.ts";
import { normalizeState, type ObjectState } from "./object-state.ts";
import { Downtime, outlastRestarts } from "./outlast-restarts.ts";
import type { Operator } from "./operator.ts";
import type { Breakdown, RunRecord, StepRecord } from "./run-record.ts";
import { openProcessHost } from "./process-host.ts";
import { untilRest, type Patience } from "./rest.ts";
import type { Subject } from "./subject.ts";
import { Traffic } from "./traffic.ts";
import { waitingPods } from "./waiting-pods.ts";

/** The account of an operator without roles. */
const anyAccount = { namespace: "tsop-check", name: "operator" };

/** The time that a pod has by default to end itself. */
export const graceMs = 30_000;

/** A fresh server with a fresh operator. */
export class World {
  readonly traffic: Traffic;
  readonly steps: StepRecord[] = [];
  /** The version of the operator that runs. */
  private subject: Subject;
  /** The version that takes its place in an upgrade. */
  private readonly next: Subject | undefined;
  private readonly user: ServiceAccountUser;
  private readonly neighbours: readonly { readonly subject: Subject; readonly user: ServiceAccountUser }[];
  private refusal: string | undefined;
  readonly log: LogWatch;
  private readonly breakdowns: Breakdown[] = [];
  private readonly unsupported = new Set<string>();
  private readonly waiting = new Set<string>();
  private readonly started = performance.now();
  private readonly stopping = new AbortController();
  private readonly operators: Operator[] = [];
  private readonly openHost: () => Promise<Host>;
  private host!: Host;
  /** Where the operator serves its webhooks, if it has any. */
  webhooks: OperatorWebhooks | undefined;
  private readonly surroundings: Surroundings;
  private sandbox!: Sandbox;
  /** An administrator's client, whose requests outlast a restart of the operator by a fault. */
  client!: Client;
  private readonly downtime = new Downtime();
  private kubeconfig = "";
  private slowestMs = 0;
  private lastState: { readonly version: string; readonly state: ObjectState } | undefined;
  /** The end of the user's last apply. */
  private applied: Promise<void> | undefined;

  constructor(subject: Subject, next?: Subject, openHost?: () => Promise<Host>, surroundings: Surroundings = {}) {
    this.subject = subject;
    this.surroundings = surroundings;
    this.openHost = openHost ?? openProcessHost;
    this.next = next;
    const { namespace, name } = subject.account ?? anyAccount;
    this.user = serviceAccountUser(namespace, name);
    this.neighbours = (subject.neighbours ?? next?.neighbours ?? []).map((neighbour, index) => ({
      subject: neighbour,
      user: serviceAccountUser(anyAccount.namespace, `neighbour-${index}`),
    }));
    this.traffic = new Traffic({
      operator: this.user.username,
      home: subject.account?.namespace,
      neighbours: this.neighbours.map(({ user }) => user.username),
      now: () => this.now(),
    });
    this.log = new LogWatch(
      (lines) => this.noteBreakdown("logged a panic", lines),
      () => this.now(),
    );
  }

  /** Milliseconds since the start. */
  now(): number {
    return Math.round(performance.now() - this.started);
  }

  get namespace(): string {
    return this.subject.namespace ?? "default";
  }

  /** Starts the server, and installs the objects that the operator needs. */
  async open(): Promise<Sandbox> {
    const { subject, next, surroundings } = this;
    const { account } = subject;
    this.host = await this.openHost();
    if (subject.webhooks ?? next?.webhooks) this.webhooks = await this.host.openWebhooks();
    const { listen, installed } = this.host;
    this.sandbox = await startSandbox(
      {
        ...surroundings,
        pace: { min: 0, max: 5 },
        rbac: account !== undefined,
        aggregateRoles: account !== undefined,
        intercept: (request, next) => this.traffic.intercept(request, next),
        onAudit: (event) => {
          this.traffic.record(event);
          surroundings.onAudit?.(event);
        },
        onChange: (resource, event) => {
          this.traffic.follow(resource, event);
          surroundings.onChange?.(resource, event);
        },
        onUnsupported: ({ message }) => void this.unsupported.add(message),
        ...(this.webhooks && { webhooks: this.webhooks }),
        ...(installed && { restore: installed }),
        ...(listen && { listen, endlessWatches: true }),
      },
      this.stopping.signal,
    );
    this.client = createClient({ transport: outlastRestarts(this.sandbox.transport, this.downtime) });
    const versions = [...this.neighbours.map((neighbour) => neighbour.subject), subject];
    for (const version of installed ? [] : versions) await this.install(version);
    this.kubeconfig = this.kubeconfigFor(this.user, account);
    this.traffic.objects.clear();
    this.traffic.written.clear();
    this.traffic.requests.length = 0;
    return this.sandbox;
  }

  private kubeconfigFor(user: ServiceAccountUser, account: Subject["account"]): string {
    const config = this.sandbox.addUser(user);
    // A pod, too, has its Lease in the namespace of its account, whose role allows it nowhere else.
    return formatKubeconfig({ ...config, namespace: account?.namespace ?? config.namespace });
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
   * In a rolling update, the old one runs on. Returns false if the server refuses the manifests.
   */
  async upgrade(isRolling: boolean): Promise<boolean> {
    const { traffic, next } = this;
    if (!next) throw new TsopError("TSOP_CHECK_NO_OLDER_VERSION", {});
    if (!isRolling) {
      await this.operator?.stop(graceMs);
      await expireLeases(this.client);
    }
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

  /** Starts the operators that run next to the one under test. */
  startNeighbours(): void {
    for (const { subject, user } of this.neighbours) {
      const operator = this.host.startOperator(subject.command, this.kubeconfigFor(user, subject.account), {
        onLine: () => {},
        onEnd: (how) => this.noteBreakdown(`has a neighbour that ${how}`, []),
      });
      this.operators.push(operator);
    }
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

  /** The written objects and the claims for storage, in a form that can be compared: the same until something changes. */
  state(): ObjectState {
    const { written, changes } = this.traffic;
    const version = `${changes} ${written.size}`;
    if (this.lastState?.version === version) return this.lastState.state;
    const state = normalStateOf(this.traffic);
    this.lastState = { version, state };
    return state;
  }

  /**
   * Waits until nothing changes any more and no request of the operator is under way; with `reached`, until the state is
   * right as well. Returns false if that takes too long.
   */
  settle(patience: Patience, reached: (state: ObjectState) => boolean = () => true): Promise<boolean> {
    return untilRest(this, patience, reached);
  }

  /** Notes the state at the end of a step, which took some time to come to rest. */
  finishStep(name: string, { tookMs, ...end }: Pick<StepRecord, "quiet" | "left"> & { readonly tookMs: number }): void {
    if (end.quiet) this.slowestMs = Math.max(this.slowestMs, tookMs);
    this.steps.push({ name, state: this.state(), ended: this.now(), ...end });
  }

  async noteWaitingPods(): Promise<void> {
    for (const pod of await waitingPods(this.client)) this.waiting.add(pod);
  }

  get record(): RunRecord {
    const { steps, breakdowns, slowestMs, refusal } = this;
    return {
      steps,
      requests: this.traffic.requests,
      breakdowns,
      errors: this.log.errors,
      unreached: this.log.unreached,
      watched: this.traffic.watched,
      uses: this.traffic.uses.all,
      leases: this.traffic.leases,
      unsupported: [...this.unsupported, ...[...this.log.unreached.values()].slice(0, 1)],
      waiting: [...this.waiting],
      slowestMs,
      struck: this.traffic.interferences.map(({ hasStruck }) => hasStruck),
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

function normalStateOf({ objects, written }: Traffic): ObjectState {
  const compared = [...objects].filter(([id]) => written.has(id) || id.startsWith("/persistentvolumeclaims "));
  return normalizeState(new Map(compared));
}
