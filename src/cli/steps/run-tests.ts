import type { Bundle } from "../../olm/bundle/bundle.ts";
import type { Stage } from "../../olm/scorecard/configuration.ts";
import { foreignImages, runScorecard, type Test } from "../../olm/scorecard/run-scorecard.ts";
import { storageContainer, storagePath, type TestPodOptions } from "../../olm/scorecard/test-pod.ts";
import type { Io } from "../io.ts";
import { namesCluster } from "../flags/cluster-flags.ts";

/** The flags of tests that run in pods. */
export interface TestFlags extends Omit<TestPodOptions, "namespace"> {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly waitTime: number;
  readonly skipCleanup?: true;
}

/** Runs tests; those with images of their own run on the cluster that the flags name. */
export async function runTests(
  io: Io,
  bundle: Bundle,
  { stages, flags }: { readonly stages: readonly Stage[]; readonly flags: TestFlags },
): Promise<Test[]> {
  if (foreignImages(stages).length === 0 || !namesCluster(io, flags)) return runScorecard(bundle, stages);
  const [{ loadConfig }, { createClient }, { HttpTransport }, { TestPods }] = await Promise.all([
    import("../../client/config/load-config.ts"),
    import("../../client/create-client.ts"),
    import("../../client/transport/http-transport.ts"),
    import("../../olm/scorecard/test-pods.ts"),
  ]);
  const { kubeconfig, context } = flags;
  const config = await loadConfig({ kubeconfig, context, env: io.env });
  const transport = new HttpTransport(config);
  const readLog = async (pod: { namespace: string; name: string }, container: string): Promise<string> => {
    const path = `/api/v1/namespaces/${pod.namespace}/pods/${pod.name}/log?container=${container}`;
    const answer = await transport.request({ method: "GET", path });
    return answer.text();
  };
  const cluster = { client: createClient({ transport }), readLog, signal: io.signal, timeoutMs: flags.waitTime };
  const [path] = stages.flatMap(({ tests }) => tests.map(storagePath)).filter((each) => each !== undefined);
  if (path !== undefined) io.stderr.write(explainStorage(path, flags.skipCleanup));
  const storageImage = flags.skipCleanup && flags.storageImage;
  const options = { ...flags, storageImage, namespace: flags.namespace ?? config.namespace };
  const pods = new TestPods(cluster, options, bundle.content);
  try {
    return await runScorecard(bundle, stages, (spec) => pods.run(spec));
  } finally {
    if (!flags.skipCleanup) await pods.remove();
  }
}

/** Says how to get the files of tests: tsop has no client for exec. */
function explainStorage(path: string, isKept: true | undefined): string {
  const copy = `kubectl exec POD --container ${storageContainer} -- tar cf - ${path} | tar xf -`;
  return `the files that tests write to ${path} stay in their pods${isKept ? "" : ", which --skip-cleanup keeps"}; copy them: ${copy}\n`;
}
