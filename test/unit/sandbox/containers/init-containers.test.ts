import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { HttpTransport } from "../../../../src/client/transport/http-transport.ts";
import { Pod } from "../../../../src/k8s/core/v1.ts";
import { startSandbox, type Sandbox } from "../../../../src/sandbox/start-sandbox.ts";
import { patience } from "../../../patience.ts";

const stop = new AbortController();
const folder = mkdtempSync(join(tmpdir(), "tsop-init-"));
let sandbox: Sandbox;
let transport: HttpTransport;

beforeAll(async () => {
  sandbox = await startSandbox({ runCommands: true, pace: { min: 1, max: 5 } }, stop.signal);
  transport = new HttpTransport(sandbox.config);
});
afterAll(async () => {
  stop.abort();
  await sandbox.done;
  transport.close();
  rmSync(folder, { recursive: true });
});

const shell = (name: string, script: string) => ({ name, image: "a", command: ["sh", "-c", script] });

type Spec = Pick<Pod["spec"] & object, "initContainers" | "restartPolicy">;

/** Creates a pod whose container notes in a file that it runs. Returns functions that read its state. */
async function create(name: string, spec: Spec) {
  const file = join(folder, name);
  const key = { namespace: "default", name };
  const containers = [shell("main", `echo main >> ${file}; sleep 1000`)];
  writeFileSync(file, "");
  await sandbox.client.create(Pod, { metadata: key, spec: { ...spec, containers } });
  const status = async () => (await sandbox.client.get(Pod, key)).status ?? {};
  return {
    status,
    ran: () => readFileSync(file, "utf8").split("\n").slice(0, -1),
    until: (expected: object) => vi.waitFor(async () => expect(await status()).toMatchObject(expected), patience),
    /** Returns what `kubectl get pods` shows. */
    async column(): Promise<unknown> {
      const headers = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
      const answer = await transport.request({
        method: "GET",
        path: `/api/v1/namespaces/default/pods/${name}`,
        headers,
      });
      const { rows } = JSON.parse(await answer.text()) as { rows: { cells: unknown[] }[] };
      return rows[0]?.cells[2];
    },
    async log(container: string): Promise<string> {
      const path = `/api/v1/namespaces/default/pods/${name}/log?container=${container}`;
      return (await transport.request({ method: "GET", path })).text();
    },
  };
}

it("runs init containers one after the other, and then the containers", async () => {
  const [file, gate] = [join(folder, "ordered"), join(folder, "gate")];
  const pod = await create("ordered", {
    initContainers: [
      shell("first", `until [ -e ${gate} ]; do sleep 0.05; done; echo first >> ${file}; echo one`),
      { name: "image", image: "a" },
      shell("second", `echo second >> ${file}; echo two`),
    ],
  });
  const waiting = { ready: false, state: { waiting: { reason: "PodInitializing" } } };
  await pod.until({
    phase: "Pending",
    podIP: expect.any(String) as string,
    initContainerStatuses: [{ name: "first", ready: false, started: true, state: { running: {} } }, waiting, waiting],
    containerStatuses: [waiting],
  });
  expect((await pod.status()).conditions).toContainEqual(
    expect.objectContaining({
      type: "Initialized",
      status: "False",
      reason: "ContainersNotInitialized",
      message: "containers with incomplete status: [first image second]",
    }),
  );
  expect(await pod.column()).toBe("Init:0/3");
  expect(pod.ran()).toEqual([]);
  writeFileSync(gate, "");
  const ended = { ready: true, restartCount: 0, state: { terminated: { exitCode: 0, reason: "Completed" } } };
  await pod.until({
    phase: "Running",
    initContainerStatuses: [ended, ended, ended],
    containerStatuses: [{ ready: true, restartCount: 0, state: { running: {} } }],
  });
  await vi.waitFor(() => expect(pod.ran()).toEqual(["first", "second", "main"]), patience);
  expect([await pod.log("first"), await pod.log("second")]).toEqual(["one\n", "two\n"]);
});

it.each(["Always", "OnFailure"] as const)(
  "starts an init container that fails again with the policy %s",
  async (policy) => {
    const name = `fails-${policy.toLowerCase()}`;
    const mended = join(folder, `${name}-mended`);
    const pod = await create(name, {
      restartPolicy: policy,
      initContainers: [shell("init", `[ -e ${mended} ] || { touch ${mended}; exit 3; }`)],
    });
    await pod.until({
      phase: "Running",
      initContainerStatuses: [
        {
          ready: true,
          restartCount: 1,
          state: { terminated: { exitCode: 0 } },
          lastState: { terminated: { exitCode: 3, reason: "Error" } },
        },
      ],
    });
    await vi.waitFor(() => expect(pod.ran()).toEqual(["main"]), patience);
  },
);

it("shows an init container that fails for the second time as one that crashes", async () => {
  const pod = await create("crashes", { initContainers: [shell("init", "exit 3"), shell("next", "true")] });
  await vi.waitFor(async () => expect(await pod.column()).toBe("Init:CrashLoopBackOff"), patience);
  expect(await pod.status()).toMatchObject({
    phase: "Pending",
    initContainerStatuses: [
      { ready: false, restartCount: 1, lastState: { terminated: { exitCode: 3 } } },
      { state: { waiting: { reason: "PodInitializing" } } },
    ],
  });
  expect(pod.ran()).toEqual([]);
});

it("fails a pod that never starts a container again", async () => {
  const pod = await create("never", { restartPolicy: "Never", initContainers: [shell("init", "exit 3")] });
  await pod.until({
    phase: "Failed",
    initContainerStatuses: [{ ready: false, state: { terminated: { exitCode: 3, reason: "Error" } } }],
    containerStatuses: [{ state: { waiting: { reason: "PodInitializing" } } }],
  });
  expect(await pod.column()).toBe("Init:Error");
  expect(pod.ran()).toEqual([]);
});

it("stops the init container of a pod that is deleted", async () => {
  const file = join(folder, "deleted");
  const pod = await create("deleted", { initContainers: [shell("init", `echo $$ >> ${file}; sleep 1000`)] });
  const pid = await vi.waitUntil(() => Number(pod.ran()[0]), patience);
  expect(process.kill(pid, 0)).toBe(true);
  await sandbox.client.delete(Pod, { namespace: "default", name: "deleted" });
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), patience);
  expect(pod.ran()).toEqual([String(pid)]);
});
