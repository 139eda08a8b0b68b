import { posix, resolve } from "node:path";
import { relativePath } from "../../files/slashes.ts";
import type { Bundle } from "../../olm/bundle/bundle.ts";
import type { Stage } from "../../olm/scorecard/configuration.ts";
import { foreignImages, runScorecard, type Test } from "../../olm/scorecard/run-scorecard.ts";
import type { StoredFile } from "../../olm/scorecard/read-results.ts";
import type { TestPodOptions } from "../../olm/scorecard/test-pod.ts";
import type { Io } from "../io.ts";
import { namesCluster } from "../../local/target/named-cluster.ts";
import { openCluster } from "./open-cluster.ts";
import { changeAndReport } from "./apply-plan.ts";

/** The flags of tests that run in pods. */
export interface TestFlags extends Omit<TestPodOptions, "namespace"> {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly waitTime: number;
  readonly skipCleanup?: true;
  readonly testOutput: string;
}

/** Runs tests; those with images of their own run on the cluster that the flags name. */
export async function runTests(
  io: Io,
  bundle: Bundle,
  { stages, flags }: { readonly stages: readonly Stage[]; readonly flags: TestFlags },
): Promise<Test[]> {
  if (foreignImages(stages).length === 0 || !namesCluster(flags)) return runScorecard(bundle, stages);
  const { execInContainer } = await import("../../client/exec/exec-in-container.ts");
  const { TestPods } = await import("../../olm/scorecard/test-pods.ts");
  const { config, transport, client } = await openCluster(io, flags);
  const readLog = async (pod: { namespace: string; name: string }, container: string): Promise<string> => {
    const path = `/api/v1/namespaces/${pod.namespace}/pods/${pod.name}/log?container=${container}`;
    const answer = await transport.request({ method: "GET", path });
    return answer.text();
  };
  const pods = new TestPods(
    {
      client,
      readLog,
      exec: (target, command, signal) => execInContainer(config, { ...target, command }, signal),
      warn: (text) => io.stderr.write(`warning: ${text}\n`),
      signal: io.signal,
      timeoutMs: flags.waitTime,
    },
    { ...flags, namespace: flags.namespace ?? config.namespace },
    bundle.content,
  );
  try {
    const tests = await runScorecard(bundle, stages, (spec) => pods.run(spec));
    await writeFiles(io, pods.files, flags.testOutput);
    return tests;
  } finally {
    if (!flags.skipCleanup) await pods.remove();
  }
}

/** Writes the files that tests have stored; those of an earlier run are replaced. */
async function writeFiles(io: Io, files: readonly StoredFile[], folder: string): Promise<void> {
  if (files.length === 0) return;
  const root = io.cwd;
  const target = relativePath(root, resolve(root, folder));
  // The later of two tests with the same labels wins.
  const byPath = new Map(files.map(({ path, bytes }) => [posix.join(target, path), bytes]));
  const changes = [...byPath].map(([path, bytes]) => {
    const text = Buffer.from(bytes).toString();
    return { type: "create", path, text, bytes, ifExists: "overwrite" } as const;
  });
  const change = { root, command: "tsop scorecard", flags: {} };
  await changeAndReport(io, change, () => ({ root, changes, outside: [target] }));
}
