import type { Client } from "../../../src/client/client.ts";
import type { RunnableBundle } from "../../../src/olm/cluster/run-catalog.ts";
import { NamespaceKind, ServiceAccountKind } from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { thingBundle, type ThingOptions } from "./thing-bundle.ts";
import type { Tool } from "./tools.ts";

/** What a user does with tsop, and with operator-sdk. */
export interface ToolScenario {
  readonly name: string;
  readonly play: (user: ToolUser) => Promise<void>;
}

interface ToolUser {
  readonly tool: Tool;
  readonly client: Client;
  readonly namespace: string;
  /** Makes a bundle with an image, which is in the registry if there is one. */
  readonly bundle: (options?: ThingOptions) => Promise<RunnableBundle>;
  /** Keeps the outcome of an action, and what it has written. */
  readonly step: (name: string, action: Promise<string>) => Promise<void>;
}

/** Makes a bundle of a scenario, and names its image. */
export function bundleWithImage(scenario: string, host: string, options: ThingOptions = {}): RunnableBundle {
  const { packageName = "thing", version = "0.1.0" } = options;
  return { ...thingBundle(scenario, options), image: `${host}/${scenario}/${packageName}-bundle:v${version}` };
}

const plays: Readonly<Record<string, ToolScenario["play"]>> = {
  async own({ tool, bundle, step }) {
    await step("run", tool.run(await bundle(), { installMode: "OwnNamespace" }));
    await step("run again", tool.run(await bundle()));
    await step("upgrade", tool.upgrade(await bundle({ version: "0.2.0" })));
    await step("upgrade to the same", tool.upgrade(await bundle({ version: "0.2.0" })));
    await step("upgrade once more", tool.upgrade(await bundle({ version: "0.3.0" })));
    await step("cleanup", tool.cleanup("thing"));
    await step("cleanup again", tool.cleanup("thing"));
  },
  async all({ tool, bundle, step }) {
    await step("run", tool.run(await bundle()));
    await step("cleanup", tool.cleanup("thing"));
  },
  async restricted({ tool, client, namespace, bundle, step }) {
    const meta = (name: string) => ({ apiVersion: "v1", metadata: { name, namespace } });
    await client.create(ServiceAccountKind, { ...meta("puller"), kind: "ServiceAccount" });
    const secret = await client.kindFor("v1", "Secret");
    const stringData = { ".dockerconfigjson": '{"auths":{}}' };
    await client.create(secret, { ...meta("login"), type: "kubernetes.io/dockerconfigjson", stringData });
    const flags = { serviceAccount: "puller", pullSecret: "login", securityContext: "restricted" } as const;
    await step("run", tool.run(await bundle(), flags));
    await step("upgrade", tool.upgrade(await bundle({ version: "0.2.0" })));
    await step("cleanup", tool.cleanup("thing"));
  },
  async single({ tool, client, namespace, bundle, step }) {
    const other = `${namespace}-2`;
    await client.create(NamespaceKind, { apiVersion: "v1", kind: "Namespace", metadata: { name: other } });
    const single = await bundle({ modes: ["SingleNamespace"] });
    await step("run in the own namespace", tool.run(single, { installMode: `SingleNamespace=${namespace}` }));
    await step("run with a mode that is not supported", tool.run(single, { installMode: "AllNamespaces" }));
    await step("run", tool.run(single, { installMode: `SingleNamespace=${other}` }));
    await step("cleanup, CRDs kept", tool.cleanup("thing", { keepCrds: true }));
  },
  async group({ tool, client, namespace, bundle, step }) {
    await client.create(await client.kindFor("operators.coreos.com/v1", "OperatorGroup"), {
      apiVersion: "operators.coreos.com/v1",
      kind: "OperatorGroup",
      metadata: { name: "mine", namespace },
      spec: { targetNamespaces: [namespace] },
    });
    const thing = await bundle();
    await step("run with other targets", tool.run(thing, { installMode: "AllNamespaces" }));
    await step("cleanup of the half", tool.cleanup("thing"));
    await step("run", tool.run(thing, { installMode: "OwnNamespace" }));
    await step("cleanup", tool.cleanup("thing"));
  },
  async fails({ tool, bundle, step }) {
    await step("run", tool.run(await bundle({ image: "fail:image" })));
    await step("cleanup", tool.cleanup("thing"));
  },
  async lost({ tool, bundle, step }) {
    await step("run", tool.run(await bundle({ crdVersions: ["v1alpha1"] })));
    await step("upgrade", tool.impatient.upgrade(await bundle({ version: "0.2.0", crdVersions: ["v1"] })));
    await step("cleanup", tool.cleanup("thing"));
  },
  async required({ tool, bundle, step }) {
    const required = [{ name: "absents.nowhere.example.com", version: "v1", kind: "Absent" }];
    await step("run", tool.impatient.run(await bundle({ required })));
    await step("cleanup", tool.cleanup("thing"));
  },
  async two({ tool, bundle, step }) {
    await step("run", tool.run(await bundle()));
    await step("upgrade of another", tool.upgrade(await bundle({ packageName: "other" })));
    await step("run another that provides the same kind", tool.impatient.run(await bundle({ packageName: "other" })));
    await step("cleanup of the other", tool.cleanup("other"));
    await step("cleanup", tool.cleanup("thing"));
  },
};

export const toolScenarios: readonly ToolScenario[] = Object.entries(plays).map(([name, play]) => ({ name, play }));
