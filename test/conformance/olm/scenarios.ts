import { expect, vi } from "vitest";
import { CsvKind } from "../../../src/client/manifests/olm-kinds.ts";
import { NamespaceKind } from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { cleanUp, planCleanup } from "../../../src/olm/cluster/cleanup.ts";
import type { OlmHost } from "../../../src/olm/cluster/olm-host.ts";
import type { RunnableBundle } from "../../../src/olm/cluster/run-catalog.ts";
import { runBundle, type RunBundleOptions } from "../../../src/olm/cluster/run-bundle.ts";
import { upgradeBundle } from "../../../src/olm/cluster/upgrade-bundle.ts";
import { thingBundle } from "./thing-bundle.ts";

/** What a user does with bundles in a namespace. */
export interface OlmScenario {
  readonly name: string;
  /** Why the simulation does something else. */
  readonly onlyReal?: string;
  readonly play: (user: OlmUser) => Promise<void>;
}

export interface OlmUser {
  readonly host: OlmHost;
  /** The same user, who waits only a short time for what does not happen. */
  readonly impatient: Pick<OlmUser, "run" | "upgrade">;
  run(bundle: RunnableBundle, options?: Partial<RunBundleOptions>): Promise<void>;
  upgrade(bundle: RunnableBundle): Promise<void>;
  cleanup(packageName: string): Promise<void>;
  /** Keeps the present state for the comparison. */
  look(step: string): Promise<void>;
  /** Waits until OLM has installed a CSV. */
  installed(csv: string): Promise<void>;
  /** Waits until nothing is left of OLM's objects. */
  gone(): Promise<void>;
  /** Keeps the error of an action. */
  fails(step: string, action: Promise<unknown>): Promise<void>;
}

const podOptions = {
  indexImage: "quay.io/operator-framework/opm:latest",
  decompressionImage: "registry.access.redhat.com/ubi9/ubi:9.8",
  pullPolicy: "Always",
  securityContext: "legacy",
} as const;

export interface OlmUserOptions {
  readonly look: (step: string) => Promise<void>;
  readonly gone: () => Promise<void>;
  readonly error: (step: string, text: string) => void;
  /** How long to wait for what does not happen. */
  readonly impatientMs?: number;
}

/** Creates the user of a scenario. */
export function olmUser(host: OlmHost, { look, gone, error, impatientMs = host.timeoutMs }: OlmUserOptions): OlmUser {
  return {
    host,
    ...installer(host),
    impatient: installer({ ...host, timeoutMs: impatientMs }),
    async cleanup(packageName) {
      await cleanUp(host, await planCleanup(host, packageName, { crds: true, operatorGroups: true }));
    },
    look,
    gone,
    async installed(name) {
      const find = () => host.client.getOrUndefined(CsvKind, { namespace: host.namespace, name });
      await vi.waitFor(async () => expect((await find())?.status?.phase).toBe("Succeeded"), { timeout: 60_000 });
    },
    async fails(step, action) {
      const outcome = await action.then(
        () => "it succeeds",
        (problem: Error) => problem.message,
      );
      error(step, outcome);
    },
  };
}

function installer(host: OlmHost): Pick<OlmUser, "run" | "upgrade"> {
  return {
    async run(bundle, options = {}) {
      await runBundle(host, bundle, { ...podOptions, ...options });
    },
    async upgrade(bundle) {
      await upgradeBundle(host, bundle, podOptions);
    },
  };
}

const plays: Readonly<Record<string, OlmScenario["play"]>> = {
  async "own-namespace"(user) {
    await user.run(thingBundle("own"), { installMode: { type: "OwnNamespace", namespaces: [] } });
    await user.look("installed");
    await user.fails("again", user.run(thingBundle("own")));
    await user.upgrade(thingBundle("own", { version: "0.2.0" }));
    await user.look("upgraded");
    await user.cleanup("thing");
    await user.gone();
  },
  async "all-namespaces"(user) {
    await user.run(thingBundle("all", { packageName: "global" }));
    await user.look("installed");
    await user.cleanup("global");
    await user.gone();
  },
  async "single-namespace"(user) {
    const { client, namespace } = user.host;
    const target = `${namespace}-2`;
    await client.create(NamespaceKind, { apiVersion: "v1", kind: "Namespace", metadata: { name: target } });
    const installMode = { type: "SingleNamespace", namespaces: [target] } as const;
    await user.run(thingBundle("single", { modes: ["SingleNamespace"] }), { installMode });
    await user.look("installed");
    await user.upgrade(thingBundle("single", { modes: ["SingleNamespace"], version: "0.2.0" }));
    await user.look("upgraded");
    await user.cleanup("thing");
    await user.gone();
  },
  async "unsupported-mode"(user) {
    const { client, namespace } = user.host;
    await client.create(NamespaceKind, { apiVersion: "v1", kind: "Namespace", metadata: { name: `${namespace}-2` } });
    const targetNamespaces = [namespace, `${namespace}-2`];
    const metadata = { name: "both", namespace };
    await user.host.client.create(await client.kindFor("operators.coreos.com/v1", "OperatorGroup"), {
      apiVersion: "operators.coreos.com/v1",
      kind: "OperatorGroup",
      metadata,
      spec: { targetNamespaces },
    });
    await user.fails("run", user.run(thingBundle("mode")));
    await user.look("failed");
    await user.cleanup("thing");
  },
  async "newer-server"(user) {
    await user.fails("run", user.impatient.run(thingBundle("newer", { minKubeVersion: "1.99.0" })));
    await user.look("pending");
    await user.cleanup("thing");
  },
  async "broken-image"(user) {
    await user.fails("run", user.run(thingBundle("broken", { image: "fail:image" })));
    await user.look("failed");
    await user.cleanup("thing");
  },
  async "lost-version"(user) {
    await user.run(thingBundle("lost", { crdVersions: ["v1alpha1"] }));
    await user.fails("upgrade", user.impatient.upgrade(thingBundle("lost", { version: "0.2.0", crdVersions: ["v1"] })));
    await user.look("refused");
    await user.cleanup("thing");
  },
  async interrupted(user) {
    const ended = new AbortController();
    const emit = (line: string): void => (line.startsWith("waiting for the InstallPlan") ? ended.abort() : undefined);
    const host = { ...user.host, signal: ended.signal, emit };
    await user.fails("run", runBundle(host, thingBundle("stop"), podOptions));
    await user.look("waiting for approval");
    await user.fails("again", user.run(thingBundle("stop")));
    await user.cleanup("thing");
    await user.gone();
  },
  async "owned-crd"(user) {
    await user.run(thingBundle("owned"));
    await user.fails("other", user.impatient.run(thingBundle("owned", { packageName: "other" })));
    await user.look("refused");
    await user.cleanup("other");
    await user.cleanup("thing");
  },
  async "required-crd"(user) {
    const required = [{ name: "absents.nowhere.example.com", version: "v1", kind: "Absent" }];
    await user.fails("run", user.impatient.run(thingBundle("required", { required })));
    await user.look("refused");
    await user.cleanup("thing");
  },
  async "two-at-once"(user) {
    const both = [user.run(thingBundle("both")), user.run(thingBundle("both"))];
    const outcomes = await Promise.allSettled(both);
    const failed = both.filter((_, index) => outcomes[index]?.status === "rejected");
    for (const each of failed) await user.fails("one of them", each);
    await user.look("installed");
    await user.cleanup("thing");
    await user.gone();
  },
  async "webhook-without-deployment"(user) {
    await user.fails(
      "run",
      user.impatient.run(thingBundle("hook", { webhooks: [webhook({ deploymentName: "absent" })] })),
    );
    await user.look("failed");
    await user.cleanup("thing");
  },
  async "webhook-for-all"(user) {
    const rules = [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["CREATE"], resources: ["*"] }];
    await user.fails("run", user.run(thingBundle("hookall", { webhooks: [webhook({ rules })] })));
    await user.look("failed");
    await user.cleanup("thing");
  },
  async webhook(user) {
    await user.run(thingBundle("cert", { webhooks: [webhook({})] }));
    await user.look("installed");
    await user.cleanup("thing");
  },
  async "no-unpack"(user) {
    const image = "registry.example.com/team/thing-bundle:v0.1.0";
    await user.fails("run", user.impatient.run({ ...thingBundle("unpack"), image }));
    await user.look("refused");
    await user.cleanup("thing");
  },
};

/** Why the simulation does something else. */
const onlyReal: Readonly<Record<string, string>> = {
  "no-unpack": "no image runs in the simulation: it installs a bundle of an image from the objects in the catalog",
};

export const olmScenarios: readonly OlmScenario[] = Object.entries(plays).map(([name, play]) => ({
  name,
  play,
  ...(onlyReal[name] && { onlyReal: onlyReal[name] }),
}));

/** Makes a webhook of Things. */
export function webhook(more: object): object {
  return {
    type: "ValidatingAdmissionWebhook",
    generateName: "vthing.kb.io",
    deploymentName: "thing-manager",
    admissionReviewVersions: ["v1"],
    containerPort: 443,
    targetPort: 9443,
    sideEffects: "None",
    failurePolicy: "Fail",
    webhookPath: "/validate",
    rules: [{ apiGroups: ["hook.example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["things"] }],
    ...more,
  };
}
