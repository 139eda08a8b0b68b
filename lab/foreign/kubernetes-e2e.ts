import { existsSync, mkdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mustRun, run } from "../../test/e2e/shell.ts";
import { readReport } from "./controller-runtime.ts";
import { withServer } from "./foreign-server.ts";
import { kubernetes } from "./test-cmd.ts";
import type { Verdicts } from "./verdicts.ts";

/** The conformance tests that need neither a container that runs nor minutes, by parts of their names. All of them pass. */
const areas = [
  "API Server should have Endpoints",
  "AggregatedDiscovery",
  "CSI",
  "Certificates API",
  "ConfigMap should (be immutable|fail|run|update)",
  "CronJob should support",
  "CustomResourceDefinition resources",
  "CustomResourcePublishOpenAPI .*works for CRD",
  "Deployment (RecreateDeployment|RollingUpdateDeployment|deployment should support rollover|should)",
  "\\] Discovery should",
  "DisruptionController",
  "EndpointSlice should (create and delete|support creating)",
  "EndpointSliceMirroring",
  "Endpoints(Controller should create and delete| should)",
  "Events",
  "FieldValidation",
  "Garbage collector should (delete|orphan RS|not be blocked)",
  "Ingress(Class)? API",
  "Kubectl (api-versions|describe|diff|label|patch|replace|run pod|server-side|version)",
  "Lease",
  "LimitRange",
  "MutatingAdmissionPolicy",
  "OrderedNamespaceDeletion",
  "PersistentVolumes",
  "PodTemplates",
  "ReplicaSet (Replace|Replicaset|should adopt)",
  "ReplicationController should (adopt|get|release|surface|test)",
  "ResourceQuota should (be able|create a ResourceQuota and ensure|manage)",
  "RuntimeClass",
  "Secrets should (be immutable|fail|patch)",
  "Servers with support for Table",
  "ServiceAccounts should (create|guarantee|run|update)",
  "ServiceCIDR and IPAddress API",
  "Services should (complete|delete|find)",
  "StatefulSetBasic. should (have a working|validate)",
  "StorageClasses",
  "SubjectReview",
  "ValidatingAdmissionPolicy",
  "Volume(Attachment|AttributesClass)",
  "Watchers should (be able|receive)",
  "server version",
];

/** Runs Kubernetes' own end-to-end tests on the sandbox, whose pods are simulated: no real server has a node here. */
export async function runEndToEnd({ modules, assets }: { modules: string; assets: string }): Promise<Verdicts> {
  const program = await buildEndToEnd(modules);
  return withServer({ assets, real: false, simulate: true }, async ({ folder, kubeconfig }) => {
    const report = join(folder, "report.json");
    const options = {
      "ginkgo.focus": `(${areas.join("|")}).*\\[Conformance\\]`,
      "ginkgo.skip": "\\[Serial\\]|\\[Slow\\]",
      "ginkgo.json-report": report,
      "ginkgo.timeout": "20m",
      provider: "skeleton",
      kubeconfig,
      "kubectl-path": join(assets, "kubectl"),
    };
    const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
    const { stdout, stderr } = await run(program, flags, { cwd: folder });
    if (!existsSync(report)) throw new Error(`the end-to-end tests have no report:\n${stdout}${stderr}`);
    return readReport(await readFile(report, "utf8"));
  });
}

/** Builds the test program, which takes five minutes the first time, and returns its path. */
async function buildEndToEnd(modules: string): Promise<string> {
  const folder = join(process.env["OPERATORS"] ?? join(tmpdir(), "tsop-operators"), kubernetes);
  const program = join(folder, "e2e.test");
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  await writeFile(join(folder, "go.mod"), moduleFor(await readFile(join(modules, kubernetes, "go.mod"), "utf8")));
  await writeFile(join(folder, "e2e.go"), 'package e2e\n\nimport _ "k8s.io/kubernetes/test/e2e"\n');
  const env = { GOFLAGS: "-mod=mod", GOSUMDB: "off", GOMODCACHE: modules, CGO_ENABLED: "0" };
  await mustRun("go", ["mod", "tidy"], { cwd: folder, env });
  await mustRun("go", ["test", "-c", "-o", program, "k8s.io/kubernetes/test/e2e"], { cwd: folder, env });
  return program;
}

/** Returns a go.mod that replaces the modules of Kubernetes' staging folder, which its own module lacks, by those published. */
function moduleFor(goMod: string): string {
  const [name, version = ""] = kubernetes.split("@v1.");
  const staging = [...goMod.matchAll(/(\S+) => \.\/staging\//g)].map(
    ([, module]) => `replace ${module} => ${module} v0.${version}`,
  );
  const go = /^go .*$/m.exec(goMod)?.[0] ?? "";
  return ["module e2e", go, `require ${name} v1.${version}`, ...staging, ""].join("\n");
}
