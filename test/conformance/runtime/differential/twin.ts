import { once } from "node:events";
import {
  addFinalizer,
  admission,
  cloneJson,
  controllerManagedBy,
  createManager,
  equalJson,
  hubSpoke,
  invalidError,
  isAlreadyExists,
  mergeFrom,
  removeFinalizer,
  setCondition,
  setControllerReference,
  spoke,
  AdmissionError,
  TerminalError,
  webhookManagedBy,
  zapLogger,
  type AdmissionResponse,
  type Client,
  type EventRecorder,
  type Manager,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type Result,
} from "../../../../src/index.ts";
import { Deployment } from "../../../../src/k8s/apps/v1.ts";
import { HubMemcached, Memcached } from "./memcached.ts";
import type { Operator, OperatorSetUp } from "./operator.ts";

const finalizer = "differential.example.com/finalizer";

/** Starts the twin of lab/record/go-operator, line by line. */
export async function startTwin(setUp: OperatorSetUp): Promise<Operator> {
  const log: string[] = [];
  const { leaseDuration, renewDeadline, retryPeriod, releaseOnCancel } = setUp;
  const mgr = await createManager(setUp.config, {
    logger: zapLogger({ level: 5, write: (line) => void log.push(line.trimEnd()) }),
    metrics: { bindAddress: `127.0.0.1:${setUp.metricsPort}` },
    healthProbeBindAddress: `127.0.0.1:${setUp.healthPort}`,
    webhook: { host: "127.0.0.1", port: setUp.webhookPort, certDir: setUp.certDir },
    leaderElection: {
      enabled: true,
      id: "differential.example.com",
      namespace: "default",
      leaseDuration,
      renewDeadline,
      retryPeriod,
      releaseOnCancel,
    },
  });
  await controllerManagedBy(mgr)
    .for(Memcached)
    .owns(Deployment)
    .withOptions({ reconciliationTimeout: 2_000 })
    .complete(new MemcachedReconciler(mgr.client, mgr.eventRecorder("memcached-controller")));
  setUpWebhooks(mgr);
  mgr.addHealthzCheck("ping");
  mgr.addReadyzCheck("fine");
  mgr.addReadyzCheck("broken", () => {
    throw new Error("it is broken");
  });
  const end = new AbortController();
  const done = mgr.start(end.signal);
  // Awaited in stop(); until then a failure must not count as unhandled.
  done.catch(() => undefined);
  const stop = async (): Promise<void> => {
    end.abort();
    await done;
  };
  return { setUp, log, stop };
}

class MemcachedReconciler implements Reconciler {
  private readonly client: Client;
  private readonly events: EventRecorder;

  constructor(client: Client, events: EventRecorder) {
    this.client = client;
    this.events = events;
  }

  async reconcile(request: Request, ctx: ReconcileContext): Promise<Result | void> {
    let memcached = await this.client.getOrUndefined(Memcached, request);
    if (!memcached) return;
    switch (memcached.spec.mode ?? "") {
      case "error":
      case "error-and-result":
        throw new Error("it went wrong");
      case "terminal":
        throw new TerminalError(new Error("it will never work"));
      case "panic":
        throw new TypeError("out of order");
      case "slow":
        await once(ctx.signal, "abort");
        throw ctx.signal.reason;
      case "requeue-after":
        return { requeueAfter: 3_600_000 };
      case "log":
        return ctx.log.info("Working", { size: memcached.spec.size ?? 0, object: memcached });
    }
    if (memcached.metadata.deletionTimestamp) {
      if (removeFinalizer(memcached, finalizer)) await this.client.update(Memcached, memcached);
      return;
    }
    if (addFinalizer(memcached, finalizer)) memcached = await this.client.update(Memcached, memcached);
    await this.ensureDeployment(memcached);
    await this.reportStatus(memcached);
  }

  private async ensureDeployment(memcached: Memcached): Promise<void> {
    const { namespace, name } = memcached.metadata;
    const deployment = await this.client.getOrUndefined(Deployment, { namespace: namespace!, name: name! });
    const { size = 0 } = memcached.spec;
    if (!deployment) {
      const wanted = deploymentFor(memcached);
      setControllerReference(memcached, wanted);
      try {
        await this.client.create(Deployment, wanted);
      } catch (error) {
        if (isAlreadyExists(error)) return;
        throw error;
      }
      this.events.event(memcached, "Normal", "Created", "Create", `made Deployment ${name}`);
      return;
    }
    if (deployment.spec?.replicas === size) return;
    const changed = cloneJson(deployment);
    changed.spec.replicas = size;
    await this.client.patch(Deployment, { namespace: namespace!, name: name! }, mergeFrom(deployment, changed));
  }

  private async reportStatus(memcached: Memcached): Promise<void> {
    const { name, generation } = memcached.metadata;
    const nodes = Array.from({ length: memcached.spec.size ?? 0 }, (_, index) => `${name}-${index}`);
    const status = (memcached.status ??= {});
    const available = { type: "Available", status: "True", reason: "Reconciled", message: "all is well" } as const;
    const changed = setCondition((status.conditions ??= []), { ...available, observedGeneration: generation! });
    if (!changed && equalJson(status.nodes, nodes)) return;
    status.nodes = nodes;
    await this.client.status.update(Memcached, memcached);
  }
}

function deploymentFor({ metadata: { namespace, name }, spec: { size = 0 } }: Memcached): Deployment {
  const labels = { app: name! };
  return {
    metadata: { namespace: namespace!, name: name!, labels },
    spec: {
      replicas: size,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "memcached", image: "memcached:1.6" }] } },
    },
  };
}

const answers: Readonly<Record<string, AdmissionResponse>> = {
  allowed: admission.allowed(),
  "allowed-with-message": admission.allowed("fine"),
  denied: admission.denied("not today"),
  errored: admission.errored(409, "somebody was faster"),
  patched: admission.patched("changed", [
    { op: "add", path: "/spec/size", value: 3 },
    { op: "remove", path: "/spec/mode" },
  ]),
  "patched-from": admission.patchedFrom({ spec: { size: 1 } }, { spec: { size: 2, mode: "log" } }),
  "validation-allowed": admission.withWarnings(admission.validationResponse(true, "well done"), "first", "second"),
  "validation-denied": admission.withWarnings(admission.validationResponse(false, "badly done"), "first"),
};

function setUpWebhooks(mgr: Manager): void {
  mgr.webhookServer.register("/raw", ({ name = "" }) => answers[name]!);
  const memcached = spoke<Memcached, HubMemcached>(
    Memcached,
    ({ metadata, spec: { size } }) => {
      if (size && size > 100) throw new Error(`size ${size} is too large for v1`);
      return { metadata, spec: size ? { replicas: size } : {} };
    },
    ({ metadata, spec: { replicas } }) => ({ metadata, spec: replicas ? { size: replicas } : {} }),
  );
  webhookManagedBy(mgr, HubMemcached)
    .withConverter(hubSpoke(HubMemcached, [memcached]))
    .complete();
  webhookManagedBy(mgr, Memcached)
    .withDefaulter({
      default({ spec }) {
        if (spec.mode === "panic") throw new TypeError("out of order");
        if (spec.mode === "error") throw new Error("no default today");
        spec.size ||= 3;
      },
    })
    .withValidator({
      validateCreate: validate,
      validateUpdate(old, memcached) {
        const [before = 0, after = 0] = [old.spec.size, memcached.spec.size];
        if (after < before) throw new Error(`size must not shrink from ${before} to ${after}`);
        return validate(memcached);
      },
      validateDelete({ spec: { size = 0 } }) {
        if (size > 5) throw new AdmissionError("too large to be deleted", { warnings: ["it is large"] });
      },
    })
    .complete();
}

function validate({ metadata: { name }, spec: { mode, size = 0 } }: Memcached): string[] {
  if (mode === "panic") throw new TypeError("out of order");
  if (size > 7) {
    const message = `Invalid value: ${size}: at most 7`;
    throw invalidError(Memcached, name, [{ reason: "FieldValueInvalid", message, field: "spec.size" }]);
  }
  return size === 6 ? ["6 is even"] : [];
}
