import { afterAll, describe, expect, it } from "vitest";
import type { UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import { ApiCaller, isKindNotServed } from "../../../../src/client/calls/api-caller.ts";
import type { Client } from "../../../../src/client/client.ts";
import { discoverAll, preferredKinds } from "../../../../src/client/discovery/discover-all.ts";
import { mergePatch } from "../../../../src/client/patches.ts";
import { HttpTransport } from "../../../../src/client/transport/http-transport.ts";
import { installCrds } from "../../../../src/client/manifests/install-crds.ts";
import { CatalogSourceKind, CsvKind, OperatorGroupKind } from "../../../../src/client/manifests/olm-kinds.ts";
import { objectTitle, type Doomed } from "../../../../src/olm/cluster/await-gone.ts";
import { installOlm } from "../../../../src/olm/cluster/install-olm.ts";
import { olmStatus, hasTracesOfOlm } from "../../../../src/olm/cluster/olm-status.ts";
import { uninstallOlm } from "../../../../src/olm/cluster/uninstall-olm.ts";
import { usersOfOlm } from "../../../../src/olm/cluster/olm-users.ts";
import {
  RoleBindingKind,
  ConfigMapKind,
  DeploymentKind,
  NamespaceKind,
} from "../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { olmCrds } from "../../../../src/sandbox/olm/start-olm.ts";
import { startSandbox } from "../../../../src/sandbox/start-sandbox.ts";
import type { Manifest } from "../../../../src/client/manifests/read-manifests.ts";
import type { OlmHost } from "../../../../src/olm/cluster/olm-host.ts";

const labels = { app: "olm" };
const deployment = {
  replicas: 1,
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [{ name: "olm", image: "olm" }] } },
};
const group = "operators.coreos.com";
const objects: UnstructuredObject[] = [
  ...olmCrds(),
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "olm" } },
  { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "olm-operator", namespace: "olm" }, spec: deployment },
  {
    apiVersion: `${group}/v1`,
    kind: "OperatorGroup",
    metadata: { name: "olm-operators", namespace: "olm" },
    spec: { targetNamespaces: ["olm"] },
  },
  {
    apiVersion: `${group}/v1alpha1`,
    kind: "ClusterServiceVersion",
    metadata: { name: "packageserver", namespace: "olm" },
    spec: {
      installModes: [{ type: "OwnNamespace", supported: true }],
      install: { strategy: "deployment", spec: { deployments: [{ name: "packageserver", spec: deployment }] } },
    },
  },
];
const things = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    names: { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" },
    scope: "Namespaced",
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};
const release = objects.map((object) => ({ file: "olm.yaml", object }));

const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", rules: [] };
const owned = (owner: string): object => ({ "olm.owner": owner, "olm.owner.kind": "ClusterServiceVersion" });

// Side by side, each on a server of its own: most of the time is waiting. The global `expect.poll` works for the test that
// started last, until any of them ends: these tests use the one of their context.
describe.concurrent("OLM on a cluster", () => {
  const started: AbortController[] = [];
  afterAll(() => {
    for (const stopping of started) stopping.abort();
  });

  async function start(olm: boolean): Promise<{
    client: Client;
    lines: string[];
    host: Parameters<typeof installOlm>[0];
    users: () => Promise<Doomed[]>;
  }> {
    const stopping = new AbortController();
    started.push(stopping);
    const { client, config } = await startSandbox({ olm, pace: { min: 1, max: 5 } }, stopping.signal);
    const caller = new ApiCaller(new HttpTransport(config));
    const lines: string[] = [];
    const host = {
      client,
      namespace: "default",
      signal: stopping.signal,
      timeoutMs: 20_000,
      emit: (line: string) => void lines.push(line),
    };
    const users = async () => usersOfOlm(host, release, preferredKinds(await discoverAll(caller)));
    return { client, lines, host, users };
  }

  it.each([
    ["a CRD", { ...olmCrds()[0]! }],
    ["a namespace", { apiVersion: "v1", kind: "Namespace", metadata: { name: "operators" } }],
    ["a role of a release", { ...role, metadata: { name: "aggregate-olm-view" } }],
    ["a role that OLM made", { ...role, metadata: { name: "a", labels: owned("demo.v1") } }],
    [
      "a binding that OLM made",
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "RoleBinding",
        metadata: { name: "a", namespace: "kube-system", labels: { "olm.managed": "true" } },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "a" },
      },
    ],
  ] as [string, UnstructuredObject][])("is found by a leftover: %s", async (_, object) => {
    const { client, host } = await start(false);
    expect(await hasTracesOfOlm(host)).toBe(false);
    await client.create(await client.kindFor(object.apiVersion!, object.kind!), object);
    expect(await hasTracesOfOlm(host)).toBe(true);
  });

  it("can be installed twice, shown, and uninstalled without leftovers", async () => {
    const { client, host, lines, users } = await start(true);
    await installOlm(host, release);
    await installOlm(host, release);
    expect(lines).toEqual(expect.arrayContaining(["deployment olm-operator is ready", "packageserver is ready"]));
    const rows = await olmStatus(host, release);
    expect(rows.map(({ status }) => status)).toEqual(
      objects.map(({ kind }) => (kind === "ClusterServiceVersion" ? "Succeeded" : "Installed")),
    );
    expect(await users()).toEqual([]);
    expect(await hasTracesOfOlm(host)).toBe(true);
    expect(await uninstallOlm(host, release, [])).toBe(true);
    expect(await uninstallOlm(host, release, [])).toBe(false);
    expect((await olmStatus(host, release)).map(({ status }) => status)).toEqual(objects.map(() => "Absent"));
    await expect(client.list(CatalogSourceKind)).rejects.toSatisfy(isKindNotServed);
  });

  it("names each foreign object before its removal", async () => {
    const { client, host, users } = await start(true);
    await installOlm(host, release);
    const spec = { sourceType: "grpc", address: "127.0.0.1:1" };
    await client.create(CatalogSourceKind, { metadata: { name: "mine", namespace: "default" }, spec });
    await client.create(OperatorGroupKind, { metadata: { name: "mine", namespace: "default" } });
    await client.create(ConfigMapKind, { metadata: { name: "settings", namespace: "olm" } });
    await client.create(DeploymentKind, { metadata: { name: "web", namespace: "olm" }, spec: deployment });
    const named = await users();
    expect(named.map(({ kind, object }) => objectTitle(kind.kind, object)).toSorted()).toEqual([
      "CatalogSource default/mine",
      "ConfigMap olm/settings",
      "Deployment olm/web",
      "OperatorGroup default/mine",
    ]);
    await uninstallOlm(host, release, named);
    expect(await client.getOrUndefined(NamespaceKind, { name: "olm" })).toBeUndefined();
  });

  it("deletes custom resources while their operators run, and shows what a namespace waits for", async () => {
    const { client, host, users } = await start(true);
    await installOlm(host, release);
    await installCrds(client, [things]);
    const Thing = await client.kindFor("example.com/v1", "Thing");
    const finalizers = ["example.com/thing"];
    await client.create(Thing, { metadata: { name: "mine", namespace: "olm", finalizers } });
    const named = await users();
    expect(named).toMatchObject([{ object: { metadata: { name: "mine" } }, isCustomResource: true }]);
    await expect(uninstallOlm({ ...host, timeoutMs: 300 }, release, named)).rejects.toMatchObject({
      code: "TSOP_REMAINS",
      message: expect.stringMatching(/Thing olm\/mine .*finalizers example.com\/thing/),
    });
    expect(await client.getOrUndefined(CsvKind, { namespace: "olm", name: "packageserver" })).toBeDefined();
    // Nobody has named it to the command: its namespace waits for it.
    await expect(uninstallOlm({ ...host, timeoutMs: 3_000 }, release, [])).rejects.toMatchObject({
      message: expect.stringMatching(/Namespace olm [^]*SomeFinalizersRemain: .*example.com\/thing in 1 resource/),
    });
    await client.patch(Thing, { namespace: "olm", name: "mine" }, mergePatch({ metadata: { finalizers: null } }));
    await uninstallOlm(host, release, []);
  });

  it("removes what OLM created for its operators, even if OLM does not run", async () => {
    const { client, host, users } = await start(false);
    await installOlm({ ...host, timeoutMs: 100 }, release).catch(() => {}); // OLM's CSV has nobody to install it
    const labels = owned("packageserver");
    const made = [
      "ClusterRole olm.og.olm-operators.admin",
      "ClusterRoleBinding delegator",
      "APIService v1.packages.example.com",
    ];
    const api = { group: "packages.example.com", version: "v1", groupPriorityMinimum: 2000, versionPriority: 15 };
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
    const create = async (apiVersion: string, title: string, content: object): Promise<void> => {
      const [kind = "", name = ""] = title.split(" ");
      await client.create(await client.kindFor(apiVersion, kind), { metadata: { name, labels }, ...content } as never);
    };
    await create("rbac.authorization.k8s.io/v1", made[0]!, { rules: [] });
    await create("rbac.authorization.k8s.io/v1", made[1]!, { roleRef });
    await create("apiregistration.k8s.io/v1", made[2]!, {
      spec: { ...api, service: { namespace: "olm", name: "packageserver-service" } },
    });
    const reader = { namespace: "kube-system", name: "packageserver-service-auth-reader" };
    await client.create(RoleBindingKind, { metadata: { ...reader, labels: { "olm.managed": "true" } }, roleRef });
    const { object } = release.at(-1)!;
    const finalizers = ["operators.coreos.com/csv-cleanup"];
    const csv = { ...object, metadata: { ...object.metadata, name: "mine", finalizers } };
    await client.create(CsvKind, csv as never);
    await uninstallOlm(host, release, await users());
    expect(await client.getOrUndefined(NamespaceKind, { name: "olm" })).toBeUndefined();
    for (const title of made) {
      const [kind = "", name = ""] = title.split(" ");
      const group = kind === "APIService" ? "apiregistration.k8s.io" : "rbac.authorization.k8s.io";
      expect(await client.getOrUndefined(await client.kindFor(`${group}/v1`, kind), { name }), title).toBeUndefined();
    }
    expect(await client.getOrUndefined(RoleBindingKind, reader)).toBeUndefined();
  });

  it("explains what did not become ready by conditions, pods and events", async ({ expect }) => {
    const { host, lines } = await start(false);
    const failing = release.map(({ file, object }) => ({ file, object: withImage(object, "fail:olm") }));
    await expect
      .poll(() => failureOf(host, failing))
      .toMatchObject({
        code: "TSOP_OLM_NOT_READY",
        message: expect.stringMatching(
          /deployment olm-operator: [^]*ImagePullBackOff: Back-off pulling image "fail:olm"[^]*\n  event of olm-operator-[^]*\n  packageserver: no phase: OLM has not looked at it/,
        ),
      });
    expect(lines).toContain("packageserver: no phase: OLM has not looked at it");
  });

  it("explains a CSV that OLM cannot install by its deployment", async ({ expect }) => {
    const { host } = await start(true);
    const failing = release.map(({ file, object }) => ({
      file,
      object: object.kind === CsvKind.kind ? withImage(object, "fail:olm") : object,
    }));
    await expect
      .poll(() => failureOf(host, failing))
      .toMatchObject({
        code: "TSOP_OLM_NOT_READY",
        message: expect.stringMatching(/packageserver: Installing: [^]*pod packageserver-[^]*ImagePullBackOff/),
      });
  });
});

/** Installs for a second. On a busy machine, several tries are needed until the failure shows. */
async function failureOf(host: OlmHost, release: readonly Manifest[]): Promise<unknown> {
  return installOlm({ ...host, timeoutMs: 1_000 }, release).catch((error: unknown) => error);
}

function withImage(object: UnstructuredObject, image: string): UnstructuredObject {
  return JSON.parse(JSON.stringify(object).replaceAll('"image":"olm"', `"image":"${image}"`)) as UnstructuredObject;
}
