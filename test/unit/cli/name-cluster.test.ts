import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { HttpTransport } from "../../../src/client/transport/http-transport.ts";
import { formatKubeconfig } from "../../../src/sandbox/disk/write-kubeconfig.ts";
import { startSandbox } from "../../../src/sandbox/start-sandbox.ts";
import { bundleOf } from "../olm/bundle-case.ts";
import { memoryIo } from "./memory-io.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const folder = temporaryFolder();
const stopping = new AbortController();
const sandboxFile = join(folder, "sandbox");
const clusterFile = join(folder, "cluster");
let front: Server;
let line: string;

/** A server in front of the sandbox which, as a cluster, does not say in its version that it is one. */
beforeAll(async () => {
  const { config } = await startSandbox({}, stopping.signal);
  const transport = new HttpTransport(config);
  const forward = async (path = "/"): Promise<string> => (await transport.request({ method: "GET", path })).text();
  front = createServer((request, response) => {
    forward(request.url).then(
      (text) => response.end(text.replace("+tsop", "")),
      (error: Error) => response.destroy(error),
    );
  });
  await new Promise<void>((resolve) => void front.listen(0, "127.0.0.1", resolve));
  const server = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  writeFileSync(sandboxFile, formatKubeconfig(config));
  writeFileSync(clusterFile, formatKubeconfig({ server, namespace: "default", source: "" }));
  line = `Using the cluster at ${server}, context tsop of ${clusterFile}\n`;
});
afterAll(() => {
  front.close();
  stopping.abort();
});

const bundle = Object.fromEntries([...bundleOf({ of: "no-base" })].map(([path, text]) => [`/p/bundle/${path}`, text]));

async function errorsOf(kubeconfig: string, command: string): Promise<string> {
  const io = { ...memoryIo({ files: bundle }), env: { KUBECONFIG: kubeconfig } };
  await main(command.split(" "), io);
  return io.err();
}

const commands = [
  "olm install --manifests /none",
  "olm uninstall",
  "olm status",
  `run bundle ./bundle --kubeconfig FILE`,
  "run bundle ./bundle --context tsop",
  "run bundle-upgrade ./bundle",
  "cleanup memcached-operator --yes",
];

describe.each(commands)("%s", (command) => {
  it("names the cluster in its first line", async () => {
    const err = await errorsOf(clusterFile, command.replace("FILE", clusterFile));
    expect(err.slice(0, line.length)).toBe(line);
  });

  it("does not name a sandbox", async () => {
    expect(await errorsOf(sandboxFile, command.replace("FILE", sandboxFile))).not.toContain("Using the cluster");
  });
});
