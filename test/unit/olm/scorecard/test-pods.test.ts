import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emitYaml } from "../../../../src/apimachinery/yaml/emit.ts";
import { main } from "../../../../src/cli/main.ts";
import type { Client } from "../../../../src/client/client.ts";
import { testPod } from "../../../../src/olm/scorecard/test-pod.ts";
import { formatKubeconfig } from "../../../../src/sandbox/disk/write-kubeconfig.ts";
import { ConfigMapKind, PodKind, type Pod } from "../../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { startSandbox } from "../../../../src/sandbox/start-sandbox.ts";
import { memoryIo } from "../../cli/memory-io.ts";
import { bundleOf } from "../bundle-case.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

/** Tests in images of their own: the sandbox runs the commands of their pods on this machine. */
describe("tsop scorecard on a cluster", () => {
  const folder = temporaryFolder();
  const stopping = new AbortController();
  let client: Client;

  beforeAll(async () => {
    const sandbox = await startSandbox(
      {
        runCommands: true,
        pace: { min: 1, max: 5 },
        runsPod: ({ spec }) => spec.containers.some(({ image }) => image === "example.com/stuck"),
      },
      stopping.signal,
    );
    client = sandbox.client;
    writeFileSync(join(folder, "kubeconfig"), formatKubeconfig(sandbox.config));
  });
  afterAll(() => {
    stopping.abort();
  });

  /** Returns a test that runs a script in the folder, and prints a text. */
  function printing(test: string, output: string, script = "true"): object {
    const command = `cd ${folder} && ${script} && echo '${output}'`;
    return { image: "example.com/own", entrypoint: ["sh", "-c", command], labels: { test, suite: "own" } };
  }

  /** Returns a script that succeeds only if another test runs at the same time. */
  const meeting = (own: string, other: string): string => `touch ${own} && until [ -e ${other} ]; do sleep 0.05; done`;

  async function scorecard(stages: object[], ...flags: string[]) {
    const config = {
      apiVersion: "scorecard.operatorframework.io/v1alpha3",
      kind: "Configuration",
      metadata: { name: "config" },
      stages,
    };
    const content = Object.fromEntries(
      [...bundleOf({ of: "scorecard" })].map(([path, text]) => [`/p/bundle/${path}`, text]),
    );
    const io = memoryIo({ files: { ...content, "/p/config.yaml": emitYaml(config) } });
    const cluster = flags.includes("--alone") ? [] : ["--kubeconfig", join(folder, "kubeconfig")];
    const own = flags.filter((flag) => flag !== "--alone");
    const code = await main(["scorecard", "bundle", "--config", "config.yaml", ...cluster, ...own], io);
    return { code, out: io.out(), err: io.err(), io };
  }

  const passed = (name: string): string => JSON.stringify({ results: [{ name, state: "pass", log: "fine" }] });

  async function left(): Promise<string[]> {
    const lists = [await client.list(PodKind), await client.list(ConfigMapKind)];
    return lists
      .flatMap(({ items }) => items.map(({ metadata }) => metadata.name))
      .filter((name) => name.startsWith("scorecard-"));
  }

  /** Returns a test that stores what a script writes into `$SCORECARD_STORAGE`. */
  function storing(test: string, script: string): object {
    const path = join(folder, `files-${test}`);
    const fill = `mkdir -p ${path} && cd ${path} && ${script}`;
    return { ...printing(test, passed(test), fill), storage: { spec: { mountPath: { path } } } };
  }

  it("copies the files of tests, by suite and test", async () => {
    const script = "mkdir -p deep/er && echo one > log.txt && echo two > deep/er/two.txt";
    const other = storing("other", "ln -s /etc/passwd link && ln -s .. up && echo three > three");
    const { code, err, io } = await scorecard([{ parallel: true, tests: [storing("writes", script), other] }]);
    expect(code, err).toBe(0);
    const files = [...io.disk.files].filter(([path]) => path.startsWith("/p/test-output/"));
    expect(Object.fromEntries(files)).toEqual({
      "/p/test-output/own/writes/log.txt": "one\n",
      "/p/test-output/own/writes/deep/er/two.txt": "two\n",
      // tar says that it removes a slash.
      "/p/test-output/own/writes/tar_stderr": expect.stringContaining("member names"),
      "/p/test-output/own/other/three": "three\n",
      "/p/test-output/own/other/tar_stderr": expect.stringContaining("member names"),
    });
    expect(err).toMatch(/files-other\/link of pod scorecard-test-\w+ is not a regular file, and was not copied/);
    expect(err).toContain("created  test-output/own/writes/log.txt");
    await expect.poll(left, { timeout: 5_000 }).toEqual([]);
  });

  it("writes them to the folder of --test-output, and stays in it", async () => {
    const outside = { ...storing("../../bundle", "echo one > log.txt"), labels: { suite: "..", test: "../../bundle" } };
    const { code, err, io } = await scorecard([{ tests: [outside] }], "--test-output", "../elsewhere");
    expect(code, err).toBe(0);
    expect(io.disk.files.get("/elsewhere/bundle/log.txt")).toBe("one\n");
  });

  it("adds a failure to the results of a test whose files can't be copied", async () => {
    const path = join(folder, "never-made");
    const own = { ...printing("own", passed("own")), storage: { spec: { mountPath: { path } } } };
    const { code, out } = await scorecard([{ tests: [own] }]);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/State: pass[^]*State: fail[^]*not all files of .*never-made/),
    ]);
  });

  it("does not wait for the container that keeps the files of a test", async () => {
    const { code, out } = await scorecard(
      [{ tests: [storing("keeps", "true")] }],
      "--skip-cleanup",
      "--wait-time",
      "5s",
    );
    expect([code, out]).toEqual([0, expect.stringContaining("State: pass")]);
    const { items } = await client.list(PodKind, { labels: { app: "scorecard-test" } });
    const states = items
      .flatMap(({ status }) => status?.containerStatuses ?? [])
      .map(({ name, state }) => [name, state]);
    expect(items.map(({ status }) => status?.phase)).toEqual(["Running"]);
    expect(Object.fromEntries(states)).toMatchObject({
      "scorecard-test": { terminated: { exitCode: 0 } },
      "scorecard-gather": { running: {} },
    });
    for (const kind of [PodKind, ConfigMapKind])
      await client.deleteAllOf(kind, { namespace: "default", labels: { app: "scorecard-test" } });
    await expect.poll(left, { timeout: 5_000 }).toEqual([]);
  });

  it.each([
    ["with", "/files", ["scorecard-test", "scorecard-gather"]],
    ["without", undefined, ["scorecard-test"]],
  ])("adds a container next to the test in a pod %s storage", (_, path, names) => {
    const spec = { image: "example.com/own", ...(path && { storage: { spec: { mountPath: { path } } } }) };
    const options = {
      namespace: "a",
      serviceAccount: "b",
      untarImage: "c",
      podSecurity: "legacy",
      storageImage: "example.com/keep",
    } as const;
    const pod = testPod(spec, "map", options) as unknown as Pod;
    expect(pod.spec.containers.map(({ name }) => name)).toEqual(names);
    const [, keeper] = pod.spec.containers;
    if (keeper) expect(keeper).toMatchObject({ image: "example.com/keep", command: ["sleep", "1000"] });
  });

  it("runs stages in order and a parallel stage at once, along with built-in tests, and leaves nothing behind", async () => {
    const builtIn = {
      image: "quay.io/operator-framework/scorecard-test:v1",
      entrypoint: ["scorecard-test", "basic-check-spec"],
    };
    const { code, out } = await scorecard(
      [
        { tests: [printing("first", passed("one"), "sleep 0.3 && touch first")] },
        {
          parallel: true,
          tests: [
            builtIn,
            printing("second", passed("two"), `[ -e first ] && ${meeting("second", "third")}`),
            printing("third", passed("three"), meeting("third", "second")),
          ],
        },
      ],
      "-o",
      "json",
    );
    const { items } = JSON.parse(out) as { items: { status: { results: { name: string; state: string }[] } }[] };
    expect(items.flatMap(({ status }) => status.results.map(({ name, state }) => `${name} ${state}`))).toEqual([
      "one pass",
      "basic-check-spec pass",
      "two pass",
      "three pass",
    ]);
    expect(code).toBe(0);
    await expect.poll(left, { timeout: 5_000 }).toEqual([]);
  });

  it("fails a test that prints no results, and shows what it printed", async () => {
    const { code, out } = await scorecard([{ tests: [printing("broken", "no bundle at /bundle")] }]);
    expect([code, out]).toEqual([1, expect.stringMatching(/State: fail[^]*print its results as JSON[^]*no bundle at/)]);
  });

  it("shows the state of a pod that does not end in time", async () => {
    const stuck = { image: "example.com/stuck", labels: { test: "stuck" } };
    const { code, out } = await scorecard([{ tests: [stuck] }], "--wait-time", "300ms", "-o", "xunit");
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/failures="1"[^]*did not end within the wait time: Pending/),
    ]);
    await expect.poll(left, { timeout: 5_000 }).toEqual([]);
  });

  it("says that images need a cluster", async () => {
    const { code, err } = await scorecard([{ tests: [printing("own", "")] }], "--alone");
    expect([code, err]).toEqual([1, expect.stringContaining("TSOP_SCORECARD_IMAGE")]);
  });
});
