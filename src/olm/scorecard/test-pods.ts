import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { ConfigMapKind, PodKind } from "../cluster/kinds.ts";
import { objectKey, type Named, type UnstructuredObject } from "../../apimachinery/meta.ts";
import { ignoreNotFound } from "../../client/ignore-not-found.ts";
import type { Client } from "../../client/client.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { messageOf } from "../../errors/message-of.ts";
import { writeTar } from "../../files/tar.ts";
import type { BundleContent } from "../bundle/bundle.ts";
import { podState } from "../cluster/pod-state.ts";
import type { TestResult } from "./built-in-tests.ts";
import type { CommandOutput } from "../../client/exec/exec-in-container.ts";
import type { TestSpec } from "./configuration.ts";
import { failedResult, readResults, readStorage, type StoredFile } from "./read-results.ts";
import { storageContainer, storagePath, testContainer, testPod, type TestPodOptions } from "./test-pod.ts";

/** A cluster on which tests run. */
export interface TestCluster {
  readonly client: Client;
  /** Returns the log of a container. */
  readonly readLog: (pod: { readonly namespace: string; readonly name: string }, container: string) => Promise<string>;
  /** Runs a command in a container. */
  readonly exec: (
    target: { readonly namespace: string; readonly pod: string; readonly container: string },
    command: readonly string[],
    signal: AbortSignal,
  ) => Promise<CommandOutput>;
  readonly signal: AbortSignal;
  /** Receives parts that did not fail, but were left out. */
  readonly warn: (text: string) => void;
  /** Time for all tests, in milliseconds. */
  readonly timeoutMs: number;
}

const pauseMs = 200;
/** Time to copy the files of a test, which does not count as time of the tests. */
const copyMs = 60_000;

/** Runs tests in pods, which find the bundle in /bundle. */
export class TestPods {
  private readonly cluster: TestCluster;
  private readonly options: TestPodOptions;
  private readonly content: BundleContent;
  private readonly deadline: number;
  /** The files that tests have stored so far. */
  readonly files: StoredFile[] = [];
  private readonly name = `scorecard-test-${randomBytes(2).toString("hex")}`;
  private stored: Promise<unknown> | undefined;

  constructor(cluster: TestCluster, options: TestPodOptions, content: BundleContent) {
    this.cluster = cluster;
    this.options = options;
    this.content = content;
    this.deadline = Date.now() + cluster.timeoutMs;
  }

  /** Runs a test. Its output must be its results; if it is not, or time is over, the result says so. */
  async run(spec: TestSpec): Promise<readonly TestResult[]> {
    this.stored ??= this.store();
    await this.stored;
    const { client, readLog } = this.cluster;
    const { namespace } = this.options;
    const pod = await client.create(PodKind, testPod(spec, this.name, this.options));
    const { name } = pod.metadata;
    const path = storagePath(spec);
    const problem = await this.untilEnded(pod, path === undefined ? [] : [storageContainer]);
    if (problem !== undefined) return [failedResult(`pod ${name} did not end within the wait time: ${problem}`)];
    const results = readResults(await readLog({ namespace, name }, testContainer));
    const missing = path === undefined ? undefined : await this.copyStorage(spec, name, path);
    return missing === undefined ? results : [...results, failedResult(missing)];
  }

  /** Deletes the pods and the bundle. */
  async remove(): Promise<void> {
    if (!this.stored) return;
    const { client } = this.cluster;
    const { namespace } = this.options;
    await client.deleteAllOf(PodKind, { namespace, labels: { testrun: this.name } });
    await client.delete(ConfigMapKind, { namespace, name: this.name }).catch(ignoreNotFound);
  }

  /** Copies the files of a test; returns why they could not be copied. */
  private async copyStorage(spec: TestSpec, pod: string, path: string): Promise<string | undefined> {
    const { exec, signal, warn } = this.cluster;
    const { namespace } = this.options;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(copyMs)]);
    try {
      const output = await exec({ namespace, pod, container: storageContainer }, ["tar", "cf", "-", path], limit);
      const { files, skipped } = readStorage(output, spec, path);
      this.files.push(...files);
      for (const link of skipped) warn(`${link} of pod ${pod} is not a regular file, and was not copied`);
      if (output.failure === undefined) return undefined;
      return `not all files of ${path} in pod ${pod} were copied: ${output.failure}: ${output.stderr.toString().trim()}`;
    } catch (error) {
      if (signal.aborted) throw new TsopError("TSOP_INTERRUPTED", {}, { cause: error });
      return `the files of ${path} in pod ${pod} were not copied: ${messageOf(error)}`;
    }
  }

  private store(): Promise<unknown> {
    const entries = [...this.content].map(([path, text]) => ({ path, body: Buffer.from(text) }));
    const archive = gzipSync(writeTar(entries, new Date(0)));
    const metadata = { name: this.name, namespace: this.options.namespace, labels: { app: "scorecard-test" } };
    return this.cluster.client.create(ConfigMapKind, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata,
      binaryData: { "bundle.tar.gz": archive.toString("base64") },
    });
  }

  /** Waits until the test has ended and `others` have started; returns the pod's state if time is over before. */
  private async untilEnded(pod: Named<UnstructuredObject>, others: readonly string[]): Promise<string | undefined> {
    const { client, signal } = this.cluster;
    for (;;) {
      if (signal.aborted) throw new TsopError("TSOP_INTERRUPTED", {});
      const current = await client.getOrUndefined(PodKind, objectKey(pod));
      if (!current) return "it was deleted";
      if (hasEnded(current, others)) return undefined;
      if (Date.now() > this.deadline) return podState(current);
      await wait(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}

interface ContainerStatus {
  readonly name: string;
  readonly state?: { readonly waiting?: object; readonly running?: object; readonly terminated?: object };
}

function hasEnded(pod: UnstructuredObject, others: readonly string[]): boolean {
  const { containerStatuses = [] } = (pod["status"] ?? {}) as { containerStatuses?: readonly ContainerStatus[] };
  const stateOf = (container: string): ContainerStatus["state"] =>
    containerStatuses.find(({ name }) => name === container)?.state;
  const hasStarted = (container: string): boolean => {
    const { running, terminated } = stateOf(container) ?? {};
    return (running ?? terminated) !== undefined;
  };
  return stateOf(testContainer)?.terminated !== undefined && others.every(hasStarted);
}
