import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import { objectKey, type Named, type UnstructuredObject } from "../../apimachinery/meta.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import type { Client } from "../../client/client.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { writeTar } from "../../files/tar.ts";
import type { BundleContent } from "../bundle/bundle.ts";
import { podState } from "../cluster/pod-state.ts";
import type { TestResult } from "./built-in-tests.ts";
import type { TestSpec } from "./configuration.ts";
import { testContainer, testPod, type TestPodOptions } from "./test-pod.ts";

/** A cluster on which tests run. */
export interface TestCluster {
  readonly client: Client;
  /** Returns the log of a container. */
  readonly readLog: (pod: { readonly namespace: string; readonly name: string }, container: string) => Promise<string>;
  readonly signal: AbortSignal;
  /** Time for all tests, in milliseconds. */
  readonly timeoutMs: number;
}

const core = (kind: string, plural: string): Kind<UnstructuredObject> =>
  defineKind({ group: "", version: "v1", kind, plural });
const Pod = core("Pod", "pods");
const ConfigMap = core("ConfigMap", "configmaps");
const pauseMs = 200;

/** Runs tests in pods, which find the bundle in /bundle. */
export class TestPods {
  private readonly cluster: TestCluster;
  private readonly options: TestPodOptions;
  private readonly content: BundleContent;
  private readonly deadline: number;
  private readonly name = `scorecard-test-${randomBytes(2).toString("hex")}`;
  private stored: Promise<unknown> | undefined;

  constructor(cluster: TestCluster, options: TestPodOptions, content: BundleContent) {
    this.cluster = cluster;
    this.options = options;
    this.content = content;
    this.deadline = Date.now() + cluster.timeoutMs;
  }

  /** Runs a test. What it prints must be its results; if it is not, or time is over, the result says so. */
  async run(spec: TestSpec): Promise<readonly TestResult[]> {
    this.stored ??= this.store();
    await this.stored;
    const { client, readLog } = this.cluster;
    const { namespace } = this.options;
    const pod = await client.create(Pod, testPod(spec, this.name, this.options));
    const { name } = pod.metadata;
    const problem = await this.untilEnded(pod);
    if (problem !== undefined) return [failed(`pod ${name} did not end within the wait time: ${problem}`)];
    return parseResults(await readLog({ namespace, name }, testContainer));
  }

  /** Deletes the pods and the bundle. */
  async remove(): Promise<void> {
    if (!this.stored) return;
    const { client } = this.cluster;
    const { namespace } = this.options;
    await client.deleteAllOf(Pod, { namespace, labels: { testrun: this.name } });
    await client.delete(ConfigMap, { namespace, name: this.name }).catch(ignoreNotFound);
  }

  private store(): Promise<unknown> {
    const entries = [...this.content].map(([path, text]) => ({ path, body: Buffer.from(text) }));
    const archive = gzipSync(writeTar(entries, new Date(0)));
    const metadata = { name: this.name, namespace: this.options.namespace, labels: { app: "scorecard-test" } };
    return this.cluster.client.create(ConfigMap, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata,
      binaryData: { "bundle.tar.gz": archive.toString("base64") },
    });
  }

  /** Waits until the container of the test has ended; returns the pod's state if time is over before. */
  private async untilEnded(pod: Named<UnstructuredObject>): Promise<string | undefined> {
    const { client, signal } = this.cluster;
    for (;;) {
      if (signal.aborted) throw new TsopError("TSOP_INTERRUPTED", {});
      const current = await client.getOrUndefined(Pod, objectKey(pod));
      if (!current) return "it was deleted";
      if (hasEnded(current)) return undefined;
      if (Date.now() > this.deadline) return podState(current);
      await wait(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}

function hasEnded(pod: UnstructuredObject): boolean {
  const { containerStatuses = [] } = (pod["status"] ?? {}) as {
    containerStatuses?: readonly { readonly name: string; readonly state?: { readonly terminated?: object } }[];
  };
  return containerStatuses.some(({ name, state }) => name === testContainer && state?.terminated !== undefined);
}

function parseResults(log: string): readonly TestResult[] {
  try {
    const { results } = JSON.parse(log) as { results?: readonly TestResult[] };
    if (Array.isArray(results)) return results;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return [{ ...failed('the test did not print its results as JSON: {"results":[…]}'), log }];
}

function failed(error: string): TestResult {
  return { state: "fail", errors: [error], creationTimestamp: null };
}
