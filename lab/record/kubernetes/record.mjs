// Records a Kubernetes version: its resources, types, protobuf fields, OpenAPI texts and default roles, and the
// responses that the conformance suite compares with. Run it by hand and commit the result.
//
//   KUBEBUILDER_ASSETS=FOLDER node lab/record/kubernetes/record.mjs 1.37.2
//
// FOLDER holds etcd, kube-apiserver, kube-controller-manager and kubectl of that version. Needs Go. With --data, the
// responses and the golden projects stay unchanged.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const here = fileURLToPath(new URL(".", import.meta.url));
const [version = "", mode] = process.argv.slice(2);
const assets = process.env["KUBEBUILDER_ASSETS"];
if (!/^\d+\.\d+\.\d+$/.test(version) || !assets || (mode !== undefined && mode !== "--data"))
  fail("usage: KUBEBUILDER_ASSETS=FOLDER node lab/record/kubernetes/record.mjs VERSION [--data]");

const [, minor, patch] = version.split(".");
const modules = `0.${minor}.${patch}`;
const run = (program, args, { cwd = root, env = {} } = {}) =>
  execFileSync(program, args, { cwd, stdio: "inherit", env: { ...process.env, ...env } });

pinModules();
await withServer(async (kubeconfig) => {
  const env = { PATH: `${assets}:${process.env["PATH"]}` };
  run("node", [join(here, "types/record.mjs"), kubeconfig], { env });
  run("node", [join(here, "open-api-texts.mjs"), kubeconfig], { env });
});
const cache = execFileSync("go", ["env", "GOMODCACHE"], { encoding: "utf8" }).trim();
run("node", [join(here, "protobuf-fields.mjs"), cache, modules]);
writeVersion();
if (mode === undefined) {
  const env = { TSOP_RECORD: "1" };
  run("npm", ["run", "build"]);
  run("npx", ["vitest", "run", "--project", "conformance", "test/conformance/apiserver"], { env });
  run("node", [join(here, "default-roles.mjs"), `1.${minor}`]);
  run("npm", ["run", "golden"]);
}

/** Uses the Go types of this version, regardless of the version that controller-tools requires. */
function pinModules() {
  const cwd = join(here, "types");
  const replaced = ["api", "apiextensions-apiserver", "apimachinery", "kube-aggregator"].map(
    (name) => `-replace=k8s.io/${name}=k8s.io/${name}@v${modules}`,
  );
  run("go", ["mod", "edit", ...replaced], { cwd });
  run("go", ["mod", "tidy"], { cwd });
}

async function withServer(work) {
  const { TestEnvironment } = await import("../../../dist/testing/index.js");
  const environment = new TestEnvironment({ binaryAssetsDirectory: assets, startTimeoutMs: 240_000 });
  const folder = mkdtempSync(join(tmpdir(), "tsop-record-"));
  try {
    await environment.start();
    const kubeconfig = join(folder, "kubeconfig");
    writeFileSync(kubeconfig, environment.kubeconfig, { mode: 0o600 });
    const answer = execFileSync(join(assets, "kubectl"), ["--kubeconfig", kubeconfig, "get", "--raw", "/version"]);
    const served = JSON.parse(String(answer)).gitVersion;
    if (served !== `v${version}`) throw new Error(`${assets} holds Kubernetes ${served}, not v${version}`);
    await work(kubeconfig);
  } finally {
    await environment.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Lists the version among the recorded ones, the newest first, in the place of an older patch of its release. */
function writeVersion() {
  const path = join(root, "src/apimachinery/kubernetes-version.ts");
  const text = readFileSync(path, "utf8");
  const list = /(kubernetesVersions: readonly string\[\] = )(\[.*\])/;
  const others = JSON.parse(list.exec(text)[2]).filter((other) => !other.startsWith(`1.${minor}.`));
  const versions = [version, ...others].toSorted((a, b) => b.localeCompare(a, "en", { numeric: true }));
  writeFileSync(
    path,
    text.replace(list, (_, start) => `${start}[${versions.map((one) => `"${one}"`).join(", ")}]`),
  );
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
