import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { main } from "../../../../src/cli/main.ts";
import { formatKubeconfig } from "../../../../src/sandbox/disk/write-kubeconfig.ts";
import { startSandbox } from "../../../../src/sandbox/start-sandbox.ts";
import { memoryIo } from "../../cli/memory-io.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const folder = temporaryFolder();
const stopping = new AbortController();
const kubeconfigs = { bare: join(folder, "bare"), gone: join(folder, "gone") };
/** Nobody answers there: what asks it first fails with another error. */
const nowhere = "http://127.0.0.1:1";

beforeAll(async () => {
  const { config } = await startSandbox({}, stopping.signal);
  writeFileSync(kubeconfigs.bare, formatKubeconfig(config));
  writeFileSync(kubeconfigs.gone, formatKubeconfig({ ...config, server: "https://127.0.0.1:1" }));
});
afterAll(() => {
  stopping.abort();
});

async function tsop(
  cluster: keyof typeof kubeconfigs,
  line: string,
): Promise<{ code: number; out: string; err: string }> {
  const io = { ...memoryIo(), env: { KUBECONFIG: kubeconfigs[cluster] } };
  const code = await main(line.split(" "), io);
  return { code, out: io.out(), err: io.err() };
}

it.each([
  `olm status --manifests ${nowhere}`,
  `olm install --manifests ${nowhere}`,
  `olm uninstall --manifests ${nowhere}`,
  `run bundle 127.0.0.1:1/team/bundle:v1 --kubeconfig ${kubeconfigs.gone}`,
  "run bundle-upgrade 127.0.0.1:1/team/bundle:v1",
  "cleanup demo",
])("asks the cluster before it downloads anything: %s", async (line) => {
  const { code, err } = await tsop("gone", line);
  expect([code, err]).toEqual([1, expect.stringMatching(/^error: .*\[TSOP_SERVER_UNREACHABLE\]\nhint: .*\n$/)]);
});

it("says that OLM is not installed, without its release", async () => {
  const { code, err } = await tsop("bare", `olm status --manifests ${nowhere}`);
  expect([code, err]).toEqual([1, expect.stringMatching(/\[TSOP_OLM_ABSENT\]\nhint: install it: tsop olm install\n$/)]);
});

it("says that there is nothing to uninstall, without a release", async () => {
  // The release does not exist, so a download would fail.
  const { code, out, err } = await tsop("bare", "olm uninstall --version 0.0.0");
  expect([code, out, err]).toEqual([0, "OLM is not installed: nothing was removed\n", ""]);
});
