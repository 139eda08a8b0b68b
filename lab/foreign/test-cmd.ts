import { existsSync, readFileSync } from "node:fs";
import { chmod, cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LongRunning } from "../../test/e2e/shell.ts";
import { withServer, type ForeignServer } from "./foreign-server.ts";
import type { Verdicts } from "./verdicts.ts";

/** The module, in the layout of Go's module cache. */
export const kubernetes = "k8s.io/kubernetes@v1.37.2";

const script = fileURLToPath(new URL("test-cmd.sh", import.meta.url));

/** What the scripts of test/cmd read. */
const parts = ["hack", "test/cmd", "test/fixtures", "test/e2e/testing-manifests", "third_party/forked/shell2junit"];

export interface TestCmdOptions {
  readonly modules: string;
  readonly assets: string;
  readonly real: boolean;
  /** Names of the cases that run; all cases if the list is empty. */
  readonly cases: readonly string[];
}

/** Runs the cases of test/cmd on a fresh server with the real controllers, and the flags of hack/make-rules/test-cmd.sh. */
export async function runTestCmd({ modules, assets, real, cases }: TestCmdOptions): Promise<Verdicts> {
  const source = join(modules, kubernetes);
  const [authority, key] = ["ca.crt", "ca.key"].map((name) => join(source, "hack/testdata/ca", name));
  // In addition to ServiceAccount, which no real server of the tests has.
  const disabled = [
    "DefaultStorageClass",
    "DefaultTolerationSeconds",
    "MutatingAdmissionWebhook",
    "ValidatingAdmissionWebhook",
    "StorageObjectInUseProtection",
  ];
  const apiServerArguments = [
    `--disable-admission-plugins=${disabled.join(",")}`,
    `--client-ca-file=${authority}`,
    "--service-cluster-ip-range=10.96.0.0/12", // as on the embedded server
  ];
  const controllerArguments = [`--cluster-signing-cert-file=${authority}`, `--cluster-signing-key-file=${key}`];
  return withServer({ assets, real, allowAll: true, apiServerArguments, controllerArguments }, async (server) => {
    const copy = await copySources(source, assets, server);
    const results = join(server.folder, "results");
    await mkdir(results);
    const { output } = await runScript(copy, [results, ...cases], server);
    const codes = join(results, "codes");
    if (!existsSync(codes)) throw new Error(`no case of test/cmd ran:\n${output}`);
    return readResults(results, cases.length > 0 ? cases : namesOfCases(source));
  });
}

/** Copies the sources, which the scripts write into, with the server's token, its addresses, and the folder as /tmp. */
async function copySources(source: string, assets: string, { folder, config }: ForeignServer): Promise<string> {
  const copy = join(folder, "kubernetes");
  for (const part of parts) await cp(join(source, part), join(copy, part), { recursive: true });
  const scripts = (await readdir(join(copy, "test/cmd"))).filter((name) => name.endsWith(".sh"));
  const services = ["kubernetes-service.yaml", "service-revision2.yaml"].map((name) => join("hack/testdata", name));
  for (const path of [...scripts.map((name) => join("test/cmd", name)), ...services]) {
    const text = (await readFile(join(copy, path), "utf8"))
      .replaceAll("admin-token", String(config.token))
      .replaceAll("/tmp/", `${folder}/`)
      .replaceAll("10.0.0.", "10.96.0.");
    await writeFile(join(copy, path), text);
  }
  // A module has no executable files.
  const plugins = join(copy, "test/fixtures/pkg/kubectl/plugins");
  for (const name of await readdir(plugins, { recursive: true })) await chmod(join(plugins, name), 0o755);
  const programs = join(copy, "_output/bin");
  await mkdir(programs, { recursive: true });
  for (const name of ["kubectl", "kubectl-convert"]) await symlink(join(assets, name), join(programs, name));
  await writeFile(join(folder, "apiserver.crt"), String(config.ca));
  return copy;
}

async function runScript(
  cwd: string,
  args: readonly string[],
  { config, folder }: ForeignServer,
): Promise<LongRunning> {
  const env = {
    HOME: folder,
    TMPDIR: folder,
    TOKEN: String(config.token),
    SECURE_API_PORT: new URL(config.server).port,
  };
  const running = new LongRunning("bash", [script, ...args], { cwd, env, group: true });
  await running.ended;
  return running;
}

/** Returns the verdicts; a case that did not begin has failed. */
async function readResults(results: string, names: readonly string[]): Promise<Verdicts> {
  const codes = await readFile(join(results, "codes"), "utf8");
  const ended = new Map([...codes.matchAll(/^(\d+) (.+)$/gm)].map(([, code = "", name = ""]) => [name, code]));
  const verdict = (name: string): string => {
    const code = ended.get(name);
    if (code === undefined) return "it did not begin";
    return code === "0" ? "" : `exit code ${code}\n${tail(join(results, `${name}.log`))}`;
  };
  return new Map(names.map((name) => [name, verdict(name)]));
}

function tail(log: string): string {
  return readFileSync(log, "utf8").trimEnd().split("\n").slice(-25).join("\n");
}

function namesOfCases(source: string): string[] {
  const text = readFileSync(join(source, "test/cmd/legacy-script.sh"), "utf8");
  return [...text.matchAll(/^ *record_command (run_\w+)$/gm)].map(([, name = ""]) => name);
}
