import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSandbox, type Sandbox } from "../../src/sandbox/start-sandbox.ts";
import { findProgram, mustRun, run, temporaryFolder } from "./shell.ts";

const source = fileURLToPath(new URL("go-clients/", import.meta.url));
const env = { GOPROXY: "off", GOFLAGS: "-mod=readonly" };
const go = findProgram("go");
// Nothing is downloaded: `go mod download` in go-clients installs missing modules.
const modules = go ? await run(go, ["list", "-deps", "."], { cwd: source, env }) : undefined;
const missing = go ? modules?.code !== 0 && "its modules are not on this machine" : "there is no Go on the PATH";

/** The output of the program: the lines about one object are ordered, those of two informers are not. */
const said = [
  "mapped apps/v1, Resource=deployments namespace",
  "expanded policy/v1, Resource=poddisruptionbudgets",
  "mapped example.com/v1, Resource=widgets namespace",
  'Apply failed with 1 conflict: conflict with "go": .spec.size',
  'managed go Apply {"f:spec":{}}',
  'managed other Apply {"f:spec":{".":{},"f:size":{}}}',
];
const seen = [
  "widget added 1 <nil>",
  "widget updated 2 <nil>",
  "widget updated 3 <nil>",
  "widget updated 3 true",
  "widget deleted 3 true",
];

describe.skipIf(missing)(`a Go program without types${missing ? ` (skipped: ${missing})` : ""}`, () => {
  const stop = new AbortController();
  const problems: unknown[] = [];
  let folder: ReturnType<typeof temporaryFolder>;
  let sandbox: Sandbox;

  beforeAll(async () => {
    folder = temporaryFolder("go-clients");
    sandbox = await startSandbox({ onError: (error) => problems.push(error) }, stop.signal);
    writeFileSync(join(folder.path, "kubeconfig"), sandbox.kubeconfig);
  });
  afterAll(async () => {
    stop.abort();
    await sandbox?.done;
    folder?.remove();
    expect(problems).toEqual([]);
  });

  it("discovers kinds, applies on the server, and follows with informers", async () => {
    const program = join(folder.path, "clients");
    await mustRun(go ?? "", ["build", "-o", program, "."], { cwd: source, env });
    const options = { cwd: folder.path, env: { KUBECONFIG: join(folder.path, "kubeconfig") } };
    const lines = (await mustRun(program, [folder.path], options)).trim().split("\n");
    expect(lines.slice(0, said.length)).toEqual(said);
    expect(lines.filter((line) => line.startsWith("widget "))).toEqual(seen);
    const names = lines.filter((line) => line.startsWith("name ")).map((line) => line.split(" ")[1]);
    expect(names).toEqual(["added", "updated", "updated", "updated", "deleted"]);
  });
});
