import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { UnstructuredObject } from "../../src/apimachinery/meta.ts";
import { createClient } from "../../src/client/create-client.ts";
import { applyManifests } from "../../src/client/manifests/apply-manifests.ts";
import { readManifests, type Manifest } from "../../src/client/manifests/read-manifests.ts";
import { HttpTransport } from "../../src/client/transport/http-transport.ts";
import type { ClusterCopy, SecretHandling } from "../../src/plan/copy/cluster-copy.ts";
import { openClusterReader } from "../../src/plan/copy/cluster-reader.ts";
import { loadCopy } from "../../src/plan/copy/copy-file.ts";
import { parseResource } from "../../src/plan/copy/wanted-resources.ts";
import { takeCopy } from "../../src/plan/copy/take-copy.ts";
import { rehearse } from "../../src/plan/rehearsal/rehearse.ts";
import type { ChangedObject } from "../../src/plan/rehearsal/store-watch.ts";
import type { Entry } from "../../src/plan/report/entry.ts";
import { compareChanges } from "../../src/plan/report/make-report.ts";
import { findProgram } from "../../test/e2e/shell.ts";
import { startTimeoutMs } from "../../test/patience.ts";
import { withServer, type ForeignServer } from "./foreign-server.ts";
import { buildOperator, type RealOperator } from "./real-operator.ts";

const pairs = [
  ["rabbitmq", "rabbitmq-1.8"],
  ["rabbitmq", "rabbitmq-2"],
  ["external-secrets-0.9", "external-secrets", "keep"],
  ["prometheus-0.75", "prometheus"],
] as const satisfies [older: string, newer: string, secrets?: SecretHandling][];
const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";
const missing = !findProgram("go") ? "Go is not installed" : assets ? "" : "KUBEBUILDER_ASSETS is not set";
const { signal } = new AbortController();
const instances = 3;
/** Controllers make these of what the operator makes; on the copy, nobody does. CRDs and roles are the manifests. */
const ofOthers =
  /^(\/pods|\/endpoints|apps\/controllerrevisions|discovery\.k8s\.io\/\S+|apiextensions\.k8s\.io\/\S+|rbac\.authorization\.k8s\.io\/cluster\S+) /;

// The older version makes the state on a real server with its controllers, the plan predicts what the newer one does, and
// then the newer version is really started there.
describe.skipIf(missing !== "")(`plans of operators on a real server ${missing && `(${missing})`}`, () => {
  it.each(pairs)("%s to %s happens as predicted", { timeout: 900_000 }, async (older, newer, secrets = "hash") => {
    const [old, next] = [buildOperator(older), buildOperator(newer)];
    await withServer({ assets, real: true, controllerArguments: [] }, async (server) => {
      await install(server, [...(await manifestsOf(old)), ...(await inputOf(old))]);
      await runOn(server, old, async () => untilQuiet(server, old));
      const manifests = await manifestsOf(next);
      const copy = await copyOf(server, next, secrets);
      const objects = manifests.map(({ object }) => object);
      const rehearsal = await rehearse({
        snapshot: loadCopy(copy, objects).snapshot,
        subject: {
          command: { file: "sh", args: ["-c", `exec ${next.run}`], cwd: server.folder, env: process.env },
          crds: objects.filter(({ kind }) => kind === "CustomResourceDefinition"),
          before: [],
        },
        manifests,
        simulate: false,
        limitMs: 120_000,
        signal,
      });
      await install(server, manifests);
      // In the versions and with the defaults of the new CRDs.
      const before = await copyOf(server, next, "keep");
      await runOn(server, next, async () => untilQuiet(server, next));
      const { known, unknown } = predictionsOf(rehearsal.changed, copy);
      const after = await copyOf(server, next, "keep");
      const happened = predictionsOf(changesBetween(before, after), after).known;
      console.log(`${older} to ${newer}: ${compare(known, happened, unknown)}`);
      const invented = [...known.keys()].filter((key) => !happened.has(key));
      expect({ invented }).toEqual({ invented: [] });
      totals.happened += happened.size;
      totals.missed += [...happened.keys()].filter((key) => !known.has(key)).length;
    });
  });

  it("misses at most one change in twenty", () => {
    expect(totals.missed).toBeLessThanOrEqual(totals.happened / 20);
  });
});

/** Numbers of all pairs. */
const totals = { happened: 0, missed: 0 };

/** The CRDs and the roles of a version. */
async function manifestsOf({ crds, roles }: RealOperator): Promise<Manifest[]> {
  return [...(await readManifests(crds)), ...(existsSync(roles) ? await readManifests(roles) : [])];
}

/** Several instances of the sample, and what they need. */
async function inputOf({ input }: RealOperator): Promise<Manifest[]> {
  const before = join(input, "before.yaml");
  const samples = await readManifests(join(input, "sample.yaml"));
  // Samples that refer to each other by name come once.
  const all =
    samples.length > 1
      ? samples
      : samples.flatMap(({ file, object }) =>
          Array.from({ length: instances }, (_, number) => ({
            file,
            object: { ...object, metadata: { ...object.metadata, name: `sample-${number}` } },
          })),
        );
  return [...(existsSync(before) ? await readManifests(before) : []), ...all];
}

async function install({ config }: ForeignServer, manifests: readonly Manifest[]): Promise<void> {
  const transport = new HttpTransport(config);
  const patience = (): AbortSignal => AbortSignal.timeout(startTimeoutMs);
  await applyManifests({ client: createClient({ transport }), namespace: "default", patience }, manifests);
  transport.close();
}

/** Runs an operator as long as some work takes. */
async function runOn(
  { folder, kubeconfig }: ForeignServer,
  { run }: RealOperator,
  work: () => Promise<void>,
): Promise<void> {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const operator = spawn("sh", ["-c", `exec ${run}`], { cwd: folder, env, detached: true, stdio: "ignore" });
  const ended = new Promise((resolve) => operator.once("close", resolve));
  try {
    await work();
    expect(operator.exitCode).toBeNull();
  } finally {
    if (operator.exitCode === null) process.kill(-operator.pid!, "SIGKILL");
    await ended;
  }
}

async function copyOf(
  { config }: ForeignServer,
  operator: RealOperator,
  secrets: SecretHandling,
): Promise<ClusterCopy> {
  const transport = new HttpTransport(config);
  try {
    const manifests = (await manifestsOf(operator)).map(({ object }) => object);
    const reader = openClusterReader(transport, signal);
    const also = ["secrets", "configmaps"].map(parseResource);
    return await takeCopy({ cluster: config.server, takenAt: "now", reader, manifests, secrets, also });
  } finally {
    transport.close();
  }
}

/** Longer than the lease of the operator that was killed. */
const quietMs = 30_000;
const longestMs = 180_000;

async function untilQuiet(server: ForeignServer, operator: RealOperator): Promise<void> {
  const started = Date.now();
  let [last, since] = ["", started];
  while (Date.now() - since < quietMs && Date.now() - started < longestMs) {
    await wait(1_000);
    const { objects } = await copyOf(server, operator, "keep");
    const versions = objects.map(({ object: { metadata } }) => `${metadata.uid} ${metadata.resourceVersion}`).join();
    if (versions !== last) [last, since] = [versions, Date.now()];
  }
}

function changesBetween(before: ClusterCopy, after: ClusterCopy): ChangedObject[] {
  const [old, now] = [before, after].map(
    ({ objects }) =>
      new Map(
        objects.map(({ resource, object }): [string, UnstructuredObject] => {
          const { namespace, name } = object.metadata;
          return [`${resource} ${namespace === undefined ? "" : `${namespace}/`}${name}`, object];
        }),
      ),
  ) as [Map<string, UnstructuredObject>, Map<string, UnstructuredObject>];
  return [...new Set([...old.keys(), ...now.keys()])].map((id) => ({
    id,
    before: old.get(id),
    after: now.get(id),
    by: "operator",
  }));
}

/** Returns every change by object and effect, and every field that changes with its value; apart, what may change. */
function predictionsOf(
  changes: readonly ChangedObject[],
  copy: ClusterCopy,
): { readonly known: Map<string, string>; readonly unknown: string[] } {
  const known = new Map<string, string>();
  const unknown: string[] = [];
  const own = changes.filter(({ id }) => !ofOthers.test(id));
  for (const entry of compareChanges(own, copy, (resource) => resource.includes("."))) {
    if (isOfController(entry)) continue;
    if (entry.effect === "may change") {
      unknown.push(entry.id);
      continue;
    }
    known.set(`${entry.id} ${entry.effect}`, "");
    for (const { path, actual = "(none)" } of entry.differences)
      known.set(`${entry.id} ${path}`, entry.kind === "Secret" ? "(a value)" : actual);
  }
  return { known, unknown };
}

/** Controllers write the status of workloads. */
function isOfController({ resource, effect }: Entry): boolean {
  return resource.startsWith("apps/") && effect === "changes the status of";
}

function compare(
  predicted: ReadonlyMap<string, string>,
  happened: ReadonlyMap<string, string>,
  unknown: readonly string[],
): string {
  const lines = [...new Set([...predicted.keys(), ...happened.keys()])].sort().flatMap((key) => {
    const [expected, actual] = [predicted.get(key), happened.get(key)];
    if (expected === actual) return [];
    if (actual === undefined) return [`invented: ${key} ${expected}`];
    return [expected === undefined ? `missed: ${key} ${actual}` : `differs: ${key}: ${expected}, and it is ${actual}`];
  });
  const equal = [...happened].filter(([key, value]) => predicted.get(key) === value).length;
  return [
    `${equal} of ${happened.size} changes predicted, ${predicted.size} in the plan`,
    ...lines,
    ...unknown.map((id) => `may change: ${id}`),
  ].join("\n");
}
