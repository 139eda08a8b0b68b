import { afterEach, describe, expect, it } from "vitest";
import type { UnstructuredObject } from "../../../../src/apimachinery/meta.ts";
import { isKindNotServed } from "../../../../src/client/calls/api-caller.ts";
import type { Client } from "../../../../src/client/client.ts";
import { CatalogSourceKind, CsvKind } from "../../../../src/manifests/olm-kinds.ts";
import { installOlm } from "../../../../src/olm/cluster/install-olm.ts";
import { olmStatus } from "../../../../src/olm/cluster/olm-status.ts";
import { uninstallOlm, usersOfOlm } from "../../../../src/olm/cluster/uninstall-olm.ts";
import { olmCrds } from "../../../../src/sandbox/olm/olm-crds.ts";
import { NamespaceKind } from "../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { startSandbox } from "../../../../src/sandbox/start-sandbox.ts";

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
const release = objects.map((object) => ({ file: "olm.yaml", object }));

describe("OLM on a cluster", () => {
  let stopping: AbortController;
  afterEach(() => stopping.abort());

  async function start(
    olm: boolean,
  ): Promise<{ client: Client; lines: string[]; host: Parameters<typeof installOlm>[0] }> {
    stopping = new AbortController();
    const { client } = await startSandbox({ olm, pace: { min: 1, max: 5 } }, stopping.signal);
    const lines: string[] = [];
    const host = {
      client,
      namespace: "default",
      signal: stopping.signal,
      timeoutMs: 20_000,
      emit: (line: string) => void lines.push(line),
    };
    return { client, lines, host };
  }

  it("is installed twice, shown, and uninstalled without a rest", async () => {
    const { client, host } = await start(true);
    await installOlm(host, release);
    await installOlm(host, release);
    const rows = await olmStatus(host, release);
    expect(rows.map(({ status }) => status)).toEqual(
      objects.map(({ kind }) => (kind === "ClusterServiceVersion" ? "Succeeded" : "Installed")),
    );
    const spec = { sourceType: "grpc", address: "127.0.0.1:1" };
    await client.create(CatalogSourceKind, { metadata: { name: "mine", namespace: "default" }, spec });
    expect(await usersOfOlm(host, release)).toEqual(["CatalogSource default/mine"]);
    await uninstallOlm(host, release);
    expect((await olmStatus(host, release)).map(({ status }) => status)).toEqual(objects.map(() => "Absent"));
    await expect(client.list(CatalogSourceKind)).rejects.toSatisfy(isKindNotServed);
  });

  it("says what did not become ready, and can be removed although OLM does not run", async () => {
    const { client, host } = await start(false);
    const failing = release.map(({ file, object }) =>
      object.kind === "Deployment"
        ? {
            file,
            object: JSON.parse(
              JSON.stringify(object).replaceAll('"image":"olm"', '"image":"fail:olm"'),
            ) as UnstructuredObject,
          }
        : { file, object },
    );
    await expect(installOlm({ ...host, timeoutMs: 2_000 }, failing)).rejects.toMatchObject({
      code: "TSOP_OLM_TIMEOUT",
      message: expect.stringMatching(
        /deployment olm-operator: [^]*ImagePullBackOff: Back-off pulling image "fail:olm"/,
      ),
    });
    const { object } = release.at(-1)!;
    const finalizers = ["operators.coreos.com/csv-cleanup"];
    const csv = { ...object, metadata: { ...object.metadata, name: "mine", finalizers } };
    await client.create(CsvKind, csv as never);
    await uninstallOlm(host, release);
    expect(await client.getOrUndefined(NamespaceKind, { name: "olm" })).toBeUndefined();
  });
});
