import { describe, expect, it } from "vitest";
import { findRecordedPackage } from "../../../src/cli/package/recorded-package.ts";
import { apiFlags } from "../../../src/project/scaffold/api/api-flags.ts";
import { initFlags } from "../../../src/project/scaffold/init/init-flags.ts";
import { projectCommands } from "../../../src/project/scaffold/update/project-commands.ts";
import { webhookFlags } from "../../../src/project/scaffold/webhook/webhook-flags.ts";
import { main } from "../../../src/cli/main.ts";
import { loadProject } from "../../../src/project/load-project.ts";
import { memoryIo, type MemoryIoOptions } from "./memory-io.ts";

const manifest = (version: string): string => JSON.stringify({ name: "tsop", version });

async function find(options: MemoryIoOptions, version = "0.1.0"): Promise<{ root: string; ran: string[] }> {
  const io = memoryIo(options);
  const { root } = await findRecordedPackage(io, { root: "/p", version, temporary: "/p/tmp" });
  return { root, ran: io.ran };
}

/** An npm that installs a tsop into the temporary folder. */
const installed = { "/p/tmp/node_modules/tsop/package.json": manifest("0.1.0") };

describe("findRecordedPackage", () => {
  it("finds the recorded version in node_modules", async () => {
    const files = { "/p/node_modules/tsop/package.json": manifest("0.1.0") };
    expect(await find({ files })).toEqual({ root: "/p/node_modules/tsop", ran: [] });
  });

  it.each([
    ["its registry", { "/p/node_modules/tsop/package.json": manifest("0.2.0") }, "tsop@0.1.0"],
    ["vendor/", { "/p/vendor/tsop-0.1.0.tgz": "…" }, "/p/vendor/tsop-0.1.0.tgz"],
  ])("installs it from %s otherwise, without scripts", async (_source, files, spec) => {
    const { root, ran } = await find({ files: { ...installed, ...files } });
    expect(root).toBe("/p/tmp/node_modules/tsop");
    expect(ran).toEqual([expect.stringMatching(/^npm install --prefix \/p\/tmp --no-save --ignore-scripts /)]);
    expect(ran[0]).toMatch(new RegExp(` ${spec}$`));
  });

  it("names a package.json that is not JSON", async () => {
    const failure = find({ files: { "/p/node_modules/tsop/package.json": "{" } });
    await expect(failure).rejects.toThrow("/p/node_modules/tsop/package.json is not the JSON of an object: ");
  });

  it.each([
    ["npm fails", { run: () => ({ exitCode: 1, stderr: "npm error 404\nmore" }) }, "0.1.0", "npm error 404"],
    ["another version arrives", { files: installed }, "0.1.1", "tsop 0.1.1, which wrote it, can't be installed"],
    ["PROJECT names something else", {}, "npm:left-pad@1.0.0", "cliVersion npm:left-pad@1.0.0 is not a version"],
  ])("fails if %s", async (...[, options, version, message]) => {
    const failure = find(options, version);
    await expect(failure).rejects.toMatchObject({ code: "TSOP_BASE_UNKNOWN" });
    await expect(failure).rejects.toThrow(message);
  });
});

/** Returns the command lines that recreate what these lines create. */
async function replayed(lines: readonly string[], files: Record<string, string> = {}): Promise<string[]> {
  const io = memoryIo({ files });
  for (const line of lines) expect([line, await main(line.split(" "), io), io.err()]).toEqual([line, 0, io.err()]);
  const commands = await projectCommands(await loadProject("/p", io.disk), io.disk);
  return commands.map((words) => words.join(" "));
}

/** The flags that leave nothing for an update to compare. Another one belongs in the lines of the test below. */
const notRecorded =
  "--owner --tsop --project-version --plugins --force --from-crd --from-cluster --output --kubeconfig --context";

describe("projectCommands", () => {
  const minimal =
    "init --domain=example.com --project-name=demo --repo=demo --license=none --package-manager=pnpm --skip-install";

  it("keeps the package manager and the licence of a project", async () => {
    expect(await replayed([minimal])).toEqual([minimal]);
  });

  it("returns the command lines that scaffolded a project", async () => {
    const lines = [
      "init --domain=example.com --project-name=demo --repo=@acme/demo --license-file=/p/hack/boilerplate.ts.txt " +
        "--multigroup --namespaced --package-manager=npm --skip-install",
      "create api --group=sea --version=v1 --kind=Boat --plural=fleets --resource=true --controller=true " +
        "--ssa --namespaced=false --make=false",
      "create api --group=sea --version=v1 --kind=Boat --plural=fleets --resource=false --controller=true " +
        "--controller-name=boat-crew --make=false",
      "create api --group=sea --version=v2 --kind=Boat --plural=fleets --resource=true --controller=false " +
        "--namespaced=false --make=false",
      "create api --group=cache --version=v1 --kind=Redis --resource=true --controller=true --image=redis:8 " +
        "--image-container-command=redis,-v --image-container-port=6379 --run-as-user=1001 --make=false",
      "create api --group=cert-manager --version=v1 --kind=Certificate --external-api-path=certs/v1 " +
        "--external-api-domain=io --external-api-module=certs@1.0.0 --resource=false --controller=true --make=false",
      "create webhook --group=sea --version=v1 --kind=Boat --plural=fleets --defaulting --programmatic-validation " +
        "--conversion --spoke=v2 --defaulting-path=/default --validation-path=/check --cert=self-signed --make=false",
    ];
    expect(await replayed(lines, { "/p/hack/boilerplate.ts.txt": "/* Ours. */\n" })).toEqual(lines);
    const names = [minimal, ...lines].flatMap((line) => line.split(" ")).map((word) => word.split("=")[0]);
    const rows = Object.values({ ...initFlags, ...apiFlags, ...webhookFlags }).map(({ flag }) => flag.split(" ")[0]!);
    expect(rows.filter((flag) => !names.includes(flag)).join(" ")).toBe(notRecorded);
  });
});
