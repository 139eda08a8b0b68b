import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import { defineKind, type Kind } from "../../../src/apimachinery/kind.ts";
import { HttpTransport } from "../../../src/client/transport/http-transport.ts";
import { applyManifests } from "../../../src/client/manifests/apply-manifests.ts";
import type { ClusterCopy } from "../../../src/plan/copy/cluster-copy.ts";
import { openClusterReader, type ClusterReader } from "../../../src/plan/copy/cluster-reader.ts";
import { readCopy, saveCopy, loadCopy } from "../../../src/plan/copy/copy-file.ts";
import { planRole } from "../../../src/plan/copy/plan-role.ts";
import { parseResource } from "../../../src/plan/copy/wanted-resources.ts";
import { startSandbox } from "../../../src/sandbox/start-sandbox.ts";
import { copyOf, manifestsOf, playCluster, type PlayedCluster } from "./plan-cluster.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const ConfigMap = defineKind({ group: "", version: "v1", kind: "ConfigMap", plural: "configmaps" });
const stopping = new AbortController();
const { signal } = stopping;
let cluster: PlayedCluster;

beforeAll(async () => {
  cluster = await playCluster(signal, {
    names: ["blue"],
    rbac: true,
  });
});
afterAll(async () => {
  stopping.abort();
  await cluster.done;
});

function namesIn({ objects }: ClusterCopy, resource: string): (string | undefined)[] {
  return objects.filter((copied) => copied.resource === resource).map(({ object }) => object.metadata.name);
}

describe("a copy of a cluster", () => {
  it("has what the roles name, what owns it and what its pods refer to, and nothing else", async () => {
    await cluster.client.create(ConfigMap, { metadata: { name: "unrelated", namespace: "default" } });
    const rules = [{ apiGroups: ["apps"], resources: ["statefulsets"], verbs: ["*"] }];
    const copy = await copyOf(cluster, signal, { manifests: manifestsOf(undefined, rules), account: undefined });
    expect(namesIn(copy, "apps/statefulsets")).toEqual(["blue"]);
    expect(namesIn(copy, "example.com/widgets")).toEqual(["blue"]);
    expect(namesIn(copy, "/secrets")).toEqual(["settings"]);
    // The role that the manifests replace allows ConfigMaps.
    expect(namesIn(copy, "/configmaps")).toContain("unrelated");
    expect(copy.missing).toEqual([]);
    expect(cluster.writes).toEqual([]);
  });

  it("has further resources if they are named", async () => {
    const also = ["serviceaccounts", "deployments.apps", "gadgets.example.com"].map(parseResource);
    const { resources, missing } = await copyOf(cluster, signal, { also });
    expect(resources).toEqual(expect.arrayContaining(["deployments.apps", "serviceaccounts"]));
    expect(missing).toEqual(["gadgets.example.com: the cluster does not serve it"]);
  });

  it("can be limited to a namespace", async () => {
    const copy = await copyOf(cluster, signal, { namespace: "widgets-system" });
    expect(namesIn(copy, "/namespaces")).toEqual(["widgets-system"]);
    expect(namesIn(copy, "example.com/widgets")).toEqual([]);
  });

  it("has names, uids, versions, owners and managers as they are", async () => {
    const { snapshot } = loadCopy(await copyOf(cluster, signal), []);
    const StatefulSet = await cluster.client.kindFor("apps/v1", "StatefulSet");
    const original = await cluster.client.get(StatefulSet, { namespace: "default", name: "blue" });
    expect(Object.values(snapshot.objects["apps/statefulsets"]!)).toEqual([original]);
    expect(snapshot.revision).toBeGreaterThan(Number(original.metadata.resourceVersion));
  });

  it("has no value of a Secret in its file, and is the same when it is read", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "copy.jsonl");
    const copy = await copyOf(cluster, signal);
    await saveCopy(file, copy);
    const text = readFileSync(file, "utf8");
    for (const value of ["correct horse", Buffer.from("correct horse").toString("base64")])
      expect(text).not.toContain(value);
    const { hide: _hide, ...kept } = copy;
    expect(await readCopy(file)).toEqual(kept);
    const [secret] = copy.objects.filter(({ object }) => object.kind === "Secret");
    const { password } = secret!.object["data"] as { password: string };
    expect(Buffer.from(password, "base64")).toHaveLength("correct horse".length);
  });

  it.each([
    ["keep", [Buffer.from("correct horse").toString("base64")]],
    ["omit", []],
  ] as const)("with --secrets %s", async (secrets, expected) => {
    const { objects } = await copyOf(cluster, signal, { secrets });
    const values = objects
      .filter(({ object }) => object.kind === "Secret")
      .map(({ object }) => (object["data"] as { password: string }).password);
    expect(values).toEqual(expected);
  });

  it("can be made with the role that is printed, and names what the user may not read", async () => {
    const user = { username: "planner", groups: ["system:authenticated"] };
    const config = cluster.addUser(user);
    const refused = await copyOf({ config }, signal);
    expect(refused.objects).toEqual([]);
    expect(refused.missing).toContain("namespaces: the cluster does not allow to read it");
    const role = planRole(manifestsOf());
    expect(new Set((role["rules"] as { verbs: string[] }[]).flatMap(({ verbs }) => verbs))).toEqual(
      new Set(["get", "list"]),
    );
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "tsop-plan" };
    const binding = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: "planner" },
      roleRef,
      subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "planner" }],
    };
    await applyManifests(
      { client: cluster.client, namespace: "default" },
      [role, binding].map((object) => ({ file: "-", object })),
    );
    const copy = await copyOf({ config }, signal);
    expect(copy.missing).toEqual([]);
    expect(namesIn(copy, "/secrets")).toEqual(["settings"]);
  });

  it.each([
    ["a token that has expired", () => ({ ...cluster.config, token: "old" }), { code: 401 }],
    [
      "a server that nobody can reach",
      () => ({ ...cluster.config, server: "https://127.0.0.1:1" }),
      "TSOP_SERVER_UNREACHABLE",
    ],
  ])("fails for %s", async (_what, config, expected) => {
    const error = typeof expected === "string" ? { code: expected } : expected;
    await expect(copyOf({ config: config() }, signal)).rejects.toMatchObject(error);
  });

  it("fails if the cluster dies in the middle", async () => {
    const ending = new AbortController();
    const dying = await startSandbox(
      {
        simulate: false,
        intercept: (request, next) => {
          if (!request.url.includes("clusterrolebindings")) return next(request);
          ending.abort();
          return new Promise<never>(() => {});
        },
      },
      ending.signal,
    );
    await expect(copyOf(dying, signal)).rejects.toMatchObject({ code: "TSOP_SERVER_UNREACHABLE" });
    await dying.done;
  });
});

describe("a reader of a cluster", () => {
  it("has no verb that writes, and its requests no method but GET", async () => {
    const reader: ClusterReader = openClusterReader(new HttpTransport(cluster.config), signal);
    expect(Object.keys(reader).toSorted()).toEqual(["discover", "get", "list"]);
    // @ts-expect-error A reader can't create.
    expect(reader.create).toBeUndefined();
    const send = (transport: Parameters<typeof openClusterReader>[0]) =>
      // @ts-expect-error A transport for reading takes no other method.
      transport.request({ method: "DELETE", path: "/" });
    expect(send).toBeTypeOf("function");
  });

  it.each([
    ["of 20 MB", { metadata: { name: "large" }, data: { text: "x".repeat(20e6) } }, "it has 19 MB"],
    ["with a path as its name", { metadata: { name: "../../etc" } }, "no API server accepts its name"],
    ["without a name", { metadata: {} }, "no API server accepts its name"],
    ["with control characters", { metadata: { name: "a", namespace: "\u001b[2J" } }, "no API server accepts its name"],
  ])("refuses an object %s", async (_what, object, reason) => {
    const kind = { ...ConfigMap, kind: "ConfigMap" } as Kind<UnstructuredObject>;
    const reader: ClusterReader = {
      discover: async () => [{ kind, verbs: ["list"] }],
      get: async () => undefined,
      async *list() {
        yield { apiVersion: "v1", kind: "ConfigMap", ...object } as never;
      },
    };
    const error = { code: "TSOP_PLAN_OBJECT_INVALID", message: expect.stringContaining(reason) };
    await expect(copyOf(cluster, signal, { reader })).rejects.toMatchObject(error);
  });
});
