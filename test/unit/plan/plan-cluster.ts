import { fileURLToPath } from "node:url";
import { defineKind, type Kind } from "../../../src/apimachinery/kind.ts";
import type { UnstructuredObject } from "../../../src/apimachinery/meta.ts";
import type { Subject } from "../../../src/check/world/subject.ts";
import { mergePatch } from "../../../src/client/patches.ts";
import { HttpTransport } from "../../../src/client/transport/http-transport.ts";
import { applyManifests } from "../../../src/client/manifests/apply-manifests.ts";
import type { ClusterCopy } from "../../../src/plan/copy/cluster-copy.ts";
import { permissionHint } from "../../../src/local/target/permission-hint.ts";
import { openClusterReader } from "../../../src/plan/copy/cluster-reader.ts";
import { loadCopy } from "../../../src/plan/copy/copy-file.ts";
import { takeCopy, type CopyOptions } from "../../../src/plan/copy/take-copy.ts";
import { rehearse, type RehearsalOptions } from "../../../src/plan/rehearsal/rehearse.ts";
import { makeReport, type PlanReport } from "../../../src/plan/report/make-report.ts";
import { startSandbox, type Sandbox, type SandboxOptions } from "../../../src/sandbox/start-sandbox.ts";
import { openCrd } from "../../../src/testing/open-crd.ts";

const StatefulSet = defineKind({ group: "apps", version: "v1", kind: "StatefulSet", plural: "statefulsets" });
export const Widget: Kind = defineKind({
  group: "example.com",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  subresources: ["status"],
});

/** The CRD of the deployed version. */
export const widgetCrd: UnstructuredObject = openCrd(Widget);

const rule = (group: string, ...resources: string[]): object => ({ apiGroups: [group], resources, verbs: ["*"] });

/** What the operator may do. */
export const usualRules: readonly object[] = [
  rule("example.com", "widgets", "widgets/status"),
  rule("apps", "statefulsets"),
  rule("", "configmaps", "persistentvolumeclaims"),
];

/** Returns the manifests of a version of the operator. */
export function manifestsOf(
  crd: UnstructuredObject = widgetCrd,
  rules: readonly object[] = usualRules,
): UnstructuredObject[] {
  const account = { kind: "ServiceAccount", name: "widgets", namespace: "widgets-system" };
  const rbac = "rbac.authorization.k8s.io";
  return [
    crd,
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "widgets-system" } },
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRole",
      metadata: { name: "widgets" },
      rules,
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: "widgets" },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "widgets" },
      subjects: [account],
    },
  ];
}

/** A cluster, and the requests to it that write. */
export interface PlayedCluster extends Sandbox {
  readonly writes: string[];
}

/** Starts a server that plays a cluster, with Widgets and what the first version of the operator has made of them. */
export async function playCluster(
  signal: AbortSignal,
  options: { readonly names: readonly string[] } & Pick<SandboxOptions, "rbac" | "intercept">,
): Promise<PlayedCluster> {
  const writes: string[] = [];
  const sandbox = await startSandbox(
    {
      ...options,
      simulate: false,
      intercept: (request, next) => {
        if (request.method !== "GET") writes.push(`${request.method} ${request.url}`);
        return options.intercept?.(request, next) ?? next(request);
      },
    },
    signal,
  );
  const apply = (objects: readonly UnstructuredObject[]) =>
    applyManifests(
      { client: sandbox.client, namespace: "default" },
      objects.map((object) => ({ file: "-", object })),
    );
  await apply(manifestsOf());
  await apply([
    { apiVersion: "v1", kind: "Secret", metadata: { name: "settings" }, stringData: { password: "correct horse" } },
    ...options.names.flatMap((name) => [
      { apiVersion: "example.com/v1", kind: "Widget", metadata: { name }, spec: { size: 3 } },
      {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: `data-${name}` },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      },
    ]),
  ]);
  const { snapshot } = loadCopy(await copyOf(sandbox, signal, { secrets: "keep" }), []);
  const old = await rehearse({ ...versionOf("v1"), snapshot, signal });
  for (const { after } of old.changed)
    if (after?.kind === "StatefulSet") {
      const { uid: _uid, resourceVersion: _version, managedFields: _fields, ...metadata } = after.metadata;
      await apply([{ ...after, metadata }]);
      // Its controller has made the pods.
      await sandbox.client.status.patch(StatefulSet, after, mergePatch({ status: { replicas: 3 } }));
    }
  writes.length = 0;
  return Object.assign(sandbox, { writes });
}

/** Copies a cluster, as its administrator. */
export async function copyOf(
  { config }: Pick<Sandbox, "config">,
  signal: AbortSignal,
  options: Partial<CopyOptions> = {},
): Promise<ClusterCopy> {
  const transport = new HttpTransport(config);
  try {
    return await takeCopy({
      cluster: "the test",
      takenAt: "2026-01-01T00:00:00Z",
      secrets: "hash",
      reader: openClusterReader(transport, signal),
      manifests: manifestsOf(),
      account: { namespace: "widgets-system", name: "widgets" },
      ...options,
    });
  } finally {
    transport.close();
  }
}

/** Returns how a version of the operator is run, by the arguments that choose what it does. */
export function versionOf(
  flags: string,
  objects: readonly UnstructuredObject[] = manifestsOf(),
): Omit<RehearsalOptions, "snapshot" | "signal"> {
  const script = fileURLToPath(new URL("widget-operator.mjs", import.meta.url));
  const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  const args = ["--no-warnings", script, ...flags.split(" ")];
  const subject: Subject = {
    command: { file: process.execPath, args, cwd: ".", env },
    crds: objects.filter(({ kind }) => kind === "CustomResourceDefinition"),
    before: [],
    account: { namespace: "widgets-system", name: "widgets" },
  };
  const manifests = objects.map((object) => ({ file: "install.yaml", object }));
  return { subject, manifests, simulate: false, limitMs: 60_000, forbiddenHint: permissionHint };
}

/** Plans a version for a copy. */
export async function planOf(
  copy: ClusterCopy,
  signal: AbortSignal,
  version: ReturnType<typeof versionOf>,
  old?: ReturnType<typeof versionOf>,
): Promise<PlanReport> {
  const objects = version.manifests.map(({ object }) => object);
  const { snapshot, uncalled } = loadCopy(copy, objects);
  const before = old && (await rehearse({ ...old, manifests: [], snapshot, signal }));
  const rehearsal = await rehearse({ ...version, snapshot, signal });
  return makeReport({ copy, uncalled, manifests: objects, rehearsal, old: before });
}
