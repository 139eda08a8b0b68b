import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { checkOperator } from "../../src/testing/check-operator.ts";
import { linkPackages, mustRun, repository, temporaryFolder } from "../e2e/shell.ts";
import { isRelease } from "../is-release.ts";

const tsop = join(repository, "bin/tsop.js");

beforeAll(() => {
  if (!existsSync(join(repository, "dist/index.js"))) throw new Error("run `npm run build` first");
});

/** Copies the Memcached example, and gives it webhooks; the statements are the validator's. */
async function makeProject(statements: string): Promise<string> {
  const folder = temporaryFolder("check-webhooks");
  onTestFinished(() => folder.remove());
  const project = join(folder.path, "project");
  cpSync(join(repository, "examples/memcached-operator"), project, { recursive: true });
  linkPackages(project);
  const flags = "--group cache --version v1alpha1 --kind Memcached --defaulting --programmatic-validation";
  await mustRun(process.execPath, [tsop, "create", "webhook", ...flags.split(" ")], { cwd: project });
  const file = join(project, "webhooks/v1alpha1/memcached_validator.ts");
  const scaffolded = readFileSync(file, "utf8");
  const own = scaffolded.replace(/const \{ annotations = [^]*?(?=\n {2}\}\n\}\n)/, statements);
  expect(own).not.toBe(scaffolded);
  writeFileSync(file, own);
  return project;
}

it("explores what the webhooks of a project allow, without a finding", async () => {
  const folder = await makeProject('if (memcached.spec.size === 1) throw new Error("one is too few");');
  const list = (...args: string[]) =>
    mustRun(process.execPath, [tsop, "check", "--list", "--only", "exploration", ...args], { cwd: folder });
  const explored = await list();
  expect(explored).toContain("exploration:Memcached:spec.size:a value between");
  expect(explored).not.toContain("exploration:Memcached:spec.size:the minimum");

  // The program that the first list has built, as one in any language.
  const flags = "--webhook-port=$TSOP_WEBHOOK_PORT --webhook-cert-path=$TSOP_WEBHOOK_CERT_DIR";
  const program = `${JSON.stringify(process.execPath)} .tsop/check/main.js --health-probe-bind-address=0 ${flags}`;
  const applied = ["config/crd/bases", "config/webhook/manifests.yaml"].flatMap((path) => ["--apply", path]);
  expect(await list("--exec", program, ...applied, "--sample", "config/samples")).toBe(explored);

  const { report, runs } = await checkOperator({
    folder,
    args: ["--leader-elect"],
    ...(!isRelease && { only: ["crash", "exploration"] }),
  });
  expect(report).toBe("");
  expect(runs).toBeGreaterThan(10);
});

it("finds a webhook that refuses the removal of a finalizer", async () => {
  const folder = await makeProject(
    'if (memcached.metadata.deletionTimestamp) throw new Error("it must not change any more");',
  );
  const { findings, report } = await checkOperator({ folder, only: [] });
  expect(
    findings.map(({ class: name }) => name),
    report,
  ).toContain("deletion-hangs");
});

it.each([
  ["ends before it serves its webhooks", "process.exitCode = 1", /it exited with code 1\nno certificate for \d+/],
  [
    "does not serve its webhooks",
    "setInterval(() => {}, 60_000)",
    /does not serve its webhooks at port (\d+): \d+ s have passed\nno certificate for \1/,
  ],
])("shows the log of a program that %s", async (_, statement, expected) => {
  const folder = temporaryFolder("check-webhooks");
  onTestFinished(() => folder.remove());
  const manifests = join(repository, "test/check/operators/manifests");
  const configuration = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "caches" },
    webhooks: [
      {
        name: "caches.example.com",
        clientConfig: { service: { namespace: "default", name: "webhooks", path: "/validate" } },
        rules: [
          { apiGroups: ["check.example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["caches"] },
        ],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  };
  writeFileSync(join(folder.path, "webhook.yaml"), JSON.stringify(configuration));
  const checked = checkOperator({
    folder: folder.path,
    exec: `node -e 'console.error("no certificate for", process.env.TSOP_WEBHOOK_PORT); ${statement}'`,
    apply: [join(manifests, "crd.yaml"), join(folder.path, "webhook.yaml")],
    samples: [join(manifests, "sample.yaml")],
  });
  await expect(checked).rejects.toThrow(expected);
});
