import { setMaxListeners } from "node:events";
import { readdirSync } from "node:fs";

import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { CustomResourceDefinition } from "../../../src/apimachinery/crd/crd-types.ts";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import type { ClusterCopy } from "../../../src/plan/copy/cluster-copy.ts";
import { formatText, titleOf } from "../../../src/plan/report/format-text.ts";
import { isUnchanged } from "../../../src/plan/report/make-report.ts";
import {
  copyOf,
  manifestsOf,
  planOf,
  playCluster,
  usualRules,
  versionOf,
  widgetCrd,
  type PlayedCluster,
} from "./plan-cluster.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

describe("a plan for a cluster with three Widgets", () => {
  const stopping = new AbortController();
  const { signal } = stopping;
  setMaxListeners(0, signal);
  let cluster: PlayedCluster;
  let copy: ClusterCopy;
  const textOf = async (...args: Parameters<typeof planOf> extends [unknown, unknown, ...infer Rest] ? Rest : never) =>
    formatText(await planOf(copy, signal, ...args), { verbose: false, colored: false });

  const head = "plan for the test: 160 objects, copied at 2026-01-01T00:00:00Z\n\n";

  beforeAll(async () => {
    cluster = await playCluster(signal, { names: ["blue", "green", "red"] });
    copy = await copyOf(cluster, signal);
  });
  afterAll(async () => {
    stopping.abort();
    await cluster.done;
  });

  it("has no change if the same version comes again, and writes nothing to the cluster", async () => {
    const report = await planOf(copy, signal, versionOf("v1"));
    expect(report).toMatchObject({ groups: [], failures: [], breaks: [], missing: [] });
    expect(isUnchanged(report)).toBe(true);
    expect(cluster.writes).toEqual([]);
  });

  it("groups the StatefulSets whose pods restart, and counts the pods", async () => {
    expect(await textOf(versionOf("v2"))).toBe(`${head}restarts pods: 3 of 3 StatefulSets (9 pods)
  default/blue
  default/green
  default/red
  --- a/apps/statefulsets/default/blue
  +++ b/apps/statefulsets/default/blue
  @@ -32,7 +32,7 @@
           envFrom:
           - secretRef:
               name: settings
  -        image: widget:1
  +        image: widget:2
           imagePullPolicy: IfNotPresent
           name: main
           resources: {}

0 to create, 3 to change (3 restart pods), 0 to delete
`);
  });

  it("begins with the deletion of data, and ends with what is created", async () => {
    const text = await textOf(versionOf("v1 drops-claims makes-maps"));
    expect(text).toBe(`${head}deletes data: 3 of 3 PersistentVolumeClaims
  default/data-blue
  default/data-green
  default/data-red

creates: 3 ConfigMaps
  default/blue-map
  default/green-map
  default/red-map

3 to create, 0 to change, 3 to delete
`);
  });

  it("leaves out what the deployed version does all the time", async () => {
    expect(await textOf(versionOf("v1 noisy"))).toContain("\nchanges the status of: 3 of 3 Widgets\n");
    expect(await planOf(copy, signal, versionOf("v1 noisy"), versionOf("v1 noisy"))).toMatchObject({ groups: [] });
    const { groups } = await planOf(copy, signal, versionOf("v2 noisy"), versionOf("v1 noisy"));
    expect(groups.map(({ effect, kind }) => [effect, kind])).toEqual([["restarts pods", "StatefulSet"]]);
  });

  it("names requests that the role does not allow, with the marker", async () => {
    const fewer = manifestsOf(undefined, usualRules.slice(0, 2));
    const { failures } = await planOf(copy, signal, versionOf("v1 makes-maps", fewer));
    const [forbidden] = failures.filter(({ title }) => title === "the operator may not do this");
    expect(forbidden?.lines).toEqual([
      expect.stringMatching(
        /cannot create resource "configmaps".*\+kubebuilder:rbac:groups="",resources=configmaps,verbs=create/,
      ),
    ]);
  });

  it("names objects that the newer schema refuses, and what breaks in the CRD", async () => {
    const crd = structuredClone(widgetCrd) as unknown as CustomResourceDefinition;
    const size = { type: "integer", maximum: 2 };
    const schema = crd.spec.versions[0]!.schema!.openAPIV3Schema as { properties?: Record<string, object> };
    schema.properties = { spec: { type: "object", properties: { size } } };
    const changed = crd as unknown as UnstructuredObject;
    const { failures, groups } = await planOf(copy, signal, versionOf("v1", manifestsOf(changed)));
    expect(failures).toMatchObject([{ title: "the new version refuses objects of the cluster" }]);
    expect(failures[0]!.lines.map((line) => line.slice(0, line.indexOf(":")))).toEqual(
      ["blue", "green", "red"].map((name) => `Widget default/${name}`),
    );
    expect(groups.map(titleOf)).toEqual(["changes: 1 of 1 CustomResourceDefinition, by the manifests"]);
  });

  it("does not take the defaults of the newer schema for the operator's work", async () => {
    const crd = structuredClone(widgetCrd) as UnstructuredObject & CustomResourceDefinition;
    const spec = {
      type: "object",
      properties: { size: { type: "integer" }, mode: { type: "string", default: "slow" } },
    } as const;
    crd.spec.versions[0]!.schema!.openAPIV3Schema!.properties = { spec };
    // The CRD is the last manifest before the objects are read.
    const version = versionOf("v1 labels", [crd]);
    const { groups } = await planOf(copy, signal, version);
    const changes = groups.filter(({ kind }) => kind === "Widget").map((group) => group.changes);
    expect(changes).toEqual([[{ path: "metadata.labels.seen", after: "yes" }]]);
  });

  it("refuses a CRD that lacks a version in which objects are stored", async () => {
    const crd = structuredClone(widgetCrd) as unknown as { spec: { versions: { name: string }[] } };
    crd.spec.versions[0]!.name = "v2";
    const objects = manifestsOf(crd as unknown as UnstructuredObject);
    const { failures, breaks } = await planOf(copy, signal, versionOf("v1", objects));
    expect(failures).toEqual([
      {
        title: "the cluster refuses these manifests",
        lines: [expect.stringMatching(/^CustomResourceDefinition widgets\.example\.com: .*status\.storedVersions/)],
      },
    ]);
    expect(breaks).toEqual(["The newer version does not serve v1 of widgets.example.com any more."]);
  });

  it("names what an older copy lacks", async () => {
    const services = { apiGroups: [""], resources: ["services"], verbs: ["*"] };
    const { missing } = await planOf(copy, signal, versionOf("v1", manifestsOf(undefined, [...usualRules, services])));
    expect(missing).toEqual(["services: take the copy again, with the manifests of this version"]);
  });

  it("shows what controllers and nodes do about it, if they are simulated", async () => {
    const { groups } = await planOf(copy, signal, { ...versionOf("v2"), simulate: true });
    const byCluster = groups.filter(({ by }) => by === "cluster").map(titleOf);
    expect(byCluster).toContain("creates: 9 Pods, by the cluster");
    expect(byCluster.join()).not.toMatch(/Node|StorageClass|ServiceAccount|ConfigMap/);
    expect(groups.map(titleOf)).toContain("restarts pods: 3 of 3 StatefulSets (9 pods)");
  });

  it("names the webhooks of others, which it does not call", async () => {
    const service = { namespace: "others", name: "webhooks" };
    const rules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }];
    const webhook = { name: "a.example.org", clientConfig: { service }, rules, sideEffects: "None" };
    const object = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "others" },
      webhooks: [{ ...webhook, admissionReviewVersions: ["v1"] }],
    };
    const resource = "admissionregistration.k8s.io/validatingwebhookconfigurations";
    const guarded = { ...copy, objects: [...copy.objects, { resource, object }] };
    const report = await planOf(guarded, signal, versionOf("v1 makes-maps"));
    expect(report).toMatchObject({ uncalled: ["ValidatingWebhookConfiguration others"], failures: [] });
    expect(report.counts).toMatchObject({ creates: 3 });
  });

  it("fails, and leaves nothing behind, if the operator does not begin", async () => {
    // Other processes write into the default folder, too.
    const temporary = temporaryFolder();
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    await expect(planOf(copy, signal, versionOf("v1 ends"))).rejects.toMatchObject({
      code: "TSOP_CHECK_OPERATOR_SILENT",
      message: expect.stringContaining("it exited with code 3"),
    });
    expect(readdirSync(temporary)).toEqual([]);
  });
});
