import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { main } from "../../../../src/cli/main.ts";
import { memoryIo, type MemoryIo } from "../../cli/memory-io.ts";

const part = (name: string): string => readFileSync(new URL(`../cases/parts/${name}.yaml`, import.meta.url), "utf8");
const manifests = ["crd", "deployment", "rbac", "sample"].map(part).join("---\n");
const project =
  'domain: example.com\nlayout:\n- typescript.tsop.dev/v1\nprojectName: memcached-operator\nversion: "3"\n';
const baseFile = "/p/config/manifests/bases/memcached-operator.clusterserviceversion.yaml";
const csv = "/p/bundle/manifests/memcached-operator.clusterserviceversion.yaml";

describe("tsop generate bundle", () => {
  it("creates a bundle from stdin, and the same one again without a change", async () => {
    const io = projectIo({ stdin: manifests });
    expect(await generate(io, "--version", "0.0.1")).toBe(0);
    expect(io.disk.files.get(csv)).toContain("name: memcached-operator.v0.0.1");
    expect(io.disk.files.get(csv)).toContain('createdAt: "2026-01-02T03:04:05Z"');
    expect(io.disk.files.get("/p/bundle.Dockerfile")).toContain("COPY bundle/manifests /manifests/");
    const before = new Map(io.disk.files);
    expect(await generate(prepareNextRun(io), "--version", "0.0.1")).toBe(0);
    expect(io.disk.files).toEqual(before);
  });

  it("sets a new time on a changed bundle", async () => {
    const io = projectIo({ stdin: manifests });
    await generate(io, "--version", "0.0.1");
    await generate(prepareNextRun(io), "--version", "0.0.2");
    expect(io.disk.files.get(csv)).toContain('createdAt: "2027-01-01T00:00:00Z"');
  });

  it("reads folders, and CRDs from a separate folder", async () => {
    const files = { "/p/deploy/all.yaml": part("deployment"), "/p/crds/one.yaml": part("crd") };
    const io = projectIo({ files });
    expect(await generate(io, "--deploy-dir", "deploy", "--crds-dir", "crds", "-q")).toBe(0);
    expect(io.err()).toBe("");
    expect(io.disk.files.has("/p/bundle/manifests/cache.example.com_memcacheds.yaml")).toBe(true);
  });

  it("removes manifests of removed objects, and keeps files with other names", async () => {
    const io = projectIo({ stdin: manifests });
    await generate(io);
    const stale = "/p/bundle/manifests/memcached-operator-metrics-reader_rbac.authorization.k8s.io_v1_clusterrole.yaml";
    const own = "/p/bundle/manifests/mine.yaml";
    await io.disk.write(own, io.disk.files.get(stale)!);
    expect(await generate({ ...io, stdin: bytes(part("deployment")) })).toBe(0);
    expect(io.disk.files.has(stale)).toBe(false);
    expect(io.disk.files.has(own)).toBe(true);
  });

  it("numbers files of the same name as operator-sdk does: over all names", async () => {
    const map = (name: string, namespace: string): string =>
      `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}}\n`;
    const maps = ["x", "y", "z"].flatMap((namespace) => [map("a", namespace), map("b", namespace)]);
    const io = projectIo({ stdin: part("deployment") + maps.join("") });
    expect(await generate(io)).toBe(0);
    const names = [...io.disk.files.keys()].flatMap((path) => /(dup\d_._v1_configmap).yaml$/.exec(path)?.[1] ?? []);
    expect(names.toSorted()).toEqual(["dup0_a", "dup1_b", "dup2_a", "dup3_b"].map((name) => `${name}_v1_configmap`));
  });

  // Recorded from operator-sdk: the first of the input has the plain name.
  it("names service accounts in the order of the input, and keeps an empty list of rules", async () => {
    const accounts = ["z", "a", "m"].map((namespace) => {
      return `---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a, namespace: ${namespace}, labels: {at: ${namespace}}}\n`;
    });
    const role = "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\nrules: []\n";
    const io = projectIo({ stdin: part("deployment") + accounts.join("") + role });
    expect(await generate(io)).toBe(0);
    const at = (name: string) => /at: (.)/.exec(io.disk.files.get(`/p/bundle/manifests/${name}.yaml`)!)?.[1];
    const names = ["a_v1_serviceaccount", "dup0_a_v1_serviceaccount", "dup1_a_v1_serviceaccount"];
    expect(names.map(at)).toEqual(["z", "a", "m"]);
    const written = io.disk.files.get("/p/bundle/manifests/r_rbac.authorization.k8s.io_v1_role.yaml");
    expect(written).toContain("\nrules: []\n");
  });

  it("keeps annotations of users, also as labels of the image", async () => {
    const io = projectIo({ stdin: manifests });
    await generate(io);
    const file = "/p/bundle/metadata/annotations.yaml";
    await io.disk.write(file, `${io.disk.files.get(file)}  com.example.versions: v4.5, v4.7\n`);
    await generate({ ...io, stdin: bytes(manifests) });
    expect(io.disk.files.get(file)).toContain("  # Custom annotations.\n  com.example.versions: v4.5, v4.7\n");
    expect(io.disk.files.get("/p/bundle.Dockerfile")).toContain('LABEL com.example.versions="v4.5, v4.7"\n');
  });

  it("keeps metadata with --overwrite=false", async () => {
    const io = projectIo({ stdin: manifests, files: { "/p/bundle/metadata/annotations.yaml": "annotations: {}\n" } });
    expect(await generate(io, "--overwrite=false", "--channels", "stable")).toBe(0);
    expect(io.disk.files.get("/p/bundle/metadata/annotations.yaml")).toBe("annotations: {}\n");
    expect(io.disk.files.has("/p/bundle.Dockerfile")).toBe(false);
  });

  it("prints manifests with --stdout and writes nothing", async () => {
    const io = projectIo({ stdin: manifests });
    const before = new Map(io.disk.files);
    expect(await generate(io, "--stdout")).toBe(0);
    expect(io.out()).toMatch(/^---\napiVersion: operators.coreos.com\/v1alpha1\nkind: ClusterServiceVersion\n/);
    expect(io.disk.files).toEqual(before);
  });

  it("removes the certificate that OLM mounts from the Deployment", async () => {
    const mounts = "volumeMounts:\n        - {name: webhook-certs, mountPath: /tmp/k8s-webhook-server/serving-certs}";
    const volumes = "volumes:\n      - {name: webhook-certs, secret: {secretName: webhook-server-cert}}";
    const deployment = part("deployment").replace("volumeMounts: []", mounts).replace("volumes: []", volumes);
    const io = projectIo({ stdin: [deployment, part("crd"), part("webhooks")].join("---\n") });
    expect(await generate(io)).toBe(0);
    expect(io.disk.files.get(csv)).not.toContain("webhook-certs");
    const without = projectIo({ stdin: [deployment, part("crd")].join("---\n") });
    await generate(without);
    expect(without.disk.files.get(csv)).toContain("webhook-certs");
  });

  it("keeps the related images of the base", async () => {
    const base = part("base").replace("relatedImages: []", "relatedImages: [{name: db, image: example.com/db:1}]");
    const files = { "/p/config/manifests/bases/memcached-operator.clusterserviceversion.yaml": base };
    const io = projectIo({ stdin: part("related-images"), files });
    await generate(io);
    expect(io.disk.files.get(csv)).toContain("- image: example.com/db:1\n    name: db\n");
  });

  it("keeps a role in the bundle if a binding grants it to other subjects too", async () => {
    const other = "- {kind: ServiceAccount, name: other, namespace: memcached-operator-system}";
    const rbac = part("rbac").replace("kind: RoleBinding", "kind: RoleBinding # mixed").split("---\n");
    const mixed = rbac.map((text) => (text.includes("# mixed") ? `${text}${other}\n` : text)).join("---\n");
    const io = projectIo({ stdin: [part("deployment"), mixed].join("---\n") });
    await generate(io);
    const names = [...io.disk.files.keys()].filter((path) => path.includes("leader-election"));
    expect(names).toEqual([
      "/p/bundle/manifests/memcached-operator-leader-election-role_rbac.authorization.k8s.io_v1_role.yaml",
      "/p/bundle/manifests/memcached-operator-leader-election-rolebinding_rbac.authorization.k8s.io_v1_rolebinding.yaml",
    ]);
    expect(io.disk.files.get(csv)).toContain("coordination.k8s.io");
  });

  // operator-sdk drops the same fields of the same base, silently.
  it("drops unknown fields of the base with a warning", async () => {
    const changed = part("base")
      .replace("\nspec:", "\nfoo: bar\nspec:\n  bar: {a: 1}")
      .replace("nodes}", "nodes, zz: 1, value: {a: 1}}")
      .replace("description: How many pods", "Description: How many pods");
    const io = projectIo({ stdin: manifests, files: { [baseFile]: changed } });
    expect(await generate(io)).toBe(0);
    expect(io.err()).toContain(
      "dropped what a ClusterServiceVersion does not have: foo, spec.bar, " +
        "spec.customresourcedefinitions.owned[1].statusDescriptors[0].zz\n",
    );
    expect(io.disk.files.get(csv)).not.toMatch(/foo|bar:|zz:/);
    expect(io.disk.files.get(csv)).toContain("- description: How many pods\n");
    expect(io.disk.files.get(csv)).toContain("value:\n          a: 1\n");
  });

  // Recorded from operator-sdk, which drops them silently.
  it("drops unknown fields of a scorecard configuration with a warning", async () => {
    const config = `---
apiVersion: scorecard.operatorframework.io/v1alpha3
kind: Configuration
metadata: {name: config}
other: 1
serviceaccount: q
stages: [{tests: [{image: x, foo: bar, storage: {spec: {mountPath: {path: /a, mode: 3}}}}]}]
`;
    const io = projectIo({ stdin: part("deployment") + config });
    expect(await generate(io)).toBe(0);
    expect(io.err()).toContain(
      "Configuration config: dropped what a scorecard configuration does not have: other, stages[0].tests[0].foo, " +
        "stages[0].tests[0].storage.spec.mountPath.mode\n",
    );
    expect(io.disk.files.get("/p/bundle/tests/scorecard/config.yaml"))
      .toBe(`apiVersion: scorecard.operatorframework.io/v1alpha3
kind: Configuration
metadata:
  name: config
serviceaccount: q
stages:
- tests:
  - image: x
    storage:
      spec:
        mountPath:
          path: /a
storage:
  spec:
    mountPath: {}
`);
  });

  // operator-sdk rejects them as well, except for the second base, of which it takes the first silently.
  it.each([
    ["a base without a CSV", "a: b\n", "TSOP_BASE_WITHOUT_CSV"],
    ["an empty base", "", "TSOP_BASE_WITHOUT_CSV"],
    ["two bases", `${part("base")}---\n${part("base")}`, "TSOP_BASE_TWICE"],
    [
      "a base whose webhook has a rule of a wrong type",
      part("base").replace("\nspec:", "\nspec:\n  webhookdefinitions: [{generateName: a, rules: [{resources: pods}]}]"),
      "spec.webhookdefinitions[0].rules[0].resources must be a list",
    ],
    ["a base with a wrong type", part("base").replace("maturity: alpha", "maturity: {a: b}"), "spec.maturity must be"],
  ])("names the file of %s", async (_, text, error) => {
    const io = projectIo({ stdin: manifests, files: { [baseFile]: text } });
    expect(await generate(io)).toBe(1);
    expect(io.err()).toContain(error);
    expect(io.err()).toContain(baseFile);
  });

  it.each([
    ["two configurations", part("scorecard"), "has 2 scorecard Configurations: in /p/in/a.yaml, /p/in/b.yaml"],
    ["a list of labels", part("scorecard").replaceAll("suite: basic", "suite: [basic]"), "a.yaml: stages[0].tests[0]"],
    ["a text for a boolean", part("scorecard").replace("parallel: true", "parallel: maybe"), "a.yaml: stages[0].para"],
  ])("names the files of %s of scorecard", async (what, text, error) => {
    const second = what.startsWith("two") ? text : "";
    const files = { "/p/in/a.yaml": text, "/p/in/b.yaml": `${part("deployment")}---\n${second}` };
    const io = projectIo({ files });
    expect(await generate(io, "--input-dir", "in")).toBe(1);
    expect(io.err()).toContain(error);
  });

  it.each([
    ["no input", "", [], "TSOP_BUNDLE_NO_INPUT", 1],
    ["broken YAML", "a: 1\n b: [", [], "stdin:2:", 1],
    ["a version with build metadata", manifests, ["--version", "1.2.3+b4"], "TSOP_BUNDLE_VERSION", 1],
    ["no version", manifests, ["--version", "v1"], "TSOP_BUNDLE_VERSION", 1],
    ["an empty folder", "", ["--input-dir", "nowhere"], "TSOP_BUNDLE_FOLDER_EMPTY", 1],
    ["a name that OLM rejects", manifests, ["--package", "Bad_Name"], "TSOP_BUNDLE_CSV_INVALID", 1],
    ["two input folders", "", ["--input-dir", "a", "--deploy-dir", "b"], "exclude each other", 2],
    ["CRDs alone", "", ["--crds-dir", "a"], "--crds-dir needs --deploy-dir", 2],
    ["a boolean with a typo", manifests, ["--overwrite=flase"], "It must be true or false", 2],
    ["a map that is not used", manifests, ["--image-digest-map", "a"], "needs --use-image-digests", 2],
    ["no channel", manifests, ["--channels", ""], "--channels: write names of channels", 2],
    ["an empty channel", manifests, ["--channels", "alpha,"], "--channels: write names of channels", 2],
    ["two outputs", manifests, ["--stdout", "--output-dir", "a"], "exclude each other", 2],
    [
      "contradicting roles",
      `${part("rbac")}---\n${part("rbac").replace("[get, list, watch]", "[get]")}`,
      [],
      "TSOP_BUNDLE_TWICE",
      1,
    ],
    [
      "a limit that is no quantity",
      part("deployment").replace("cpu: 500m", "cpu: much"),
      [],
      "resources.limits.cpu",
      1,
    ],
    ["an old CRD", part("crd").replace("io/v1", "io/v1alpha1"), [], "TSOP_BUNDLE_CRD_VERSION", 1],
    [
      "an image from another registry",
      part("related-images").replace(/value: .*tool:1/, "valueFrom: {}"),
      [],
      "SETUP_TOOL",
      1,
    ],
  ])("rejects %s and writes nothing", async (...[, stdin, flags, text, code]) => {
    const io = projectIo({ stdin });
    const before = new Map(io.disk.files);
    expect(await generate(io, ...flags)).toBe(code);
    expect(io.err()).toContain(text);
    expect(io.disk.files).toEqual(before);
  });

  it.each(["", "today", "-1", "1e12"])("rejects the time %j of a reproducible build", async (epoch) => {
    const io = { ...projectIo({ stdin: manifests }), env: { SOURCE_DATE_EPOCH: epoch } };
    expect(await generate(io)).toBe(1);
    expect(io.err()).toContain(`SOURCE_DATE_EPOCH "${epoch}" is not a Unix timestamp`);
  });

  it("warns if there is nothing to run", async () => {
    const io = projectIo({ stdin: part("crd") });
    expect(await generate(io)).toBe(0);
    expect(io.err()).toContain("warning: the input has no Deployment: OLM would install the bundle, and run nothing\n");
  });

  it("warns about fields that a webhook loses in a CSV", async () => {
    const webhook = `---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: { name: m }
webhooks:
- name: mpod.kb.io
  namespaceSelector: { matchLabels: { inject: "yes" } }
  matchConditions: [{ name: a, expression: "true" }]
  objectSelector: { matchLabels: { inject: "yes" } }
`;
    const io = projectIo({ stdin: part("deployment") + webhook });
    expect(await generate(io)).toBe(0);
    expect(io.err()).toContain(
      "warning: webhook mpod.kb.io: a CSV has no namespaceSelector and matchConditions, so that OLM calls it for more objects: look at them in the handler, or use an objectSelector\n",
    );
  });

  it("needs a project or a package", async () => {
    const io = { ...memoryIo(), stdin: bytes(manifests) };
    expect(await generate(io)).toBe(1);
    expect(io.err()).toContain("TSOP_PROJECT_NOT_FOUND");
    expect(await generate({ ...io, stdin: bytes(manifests) }, "--package", "other")).toBe(0);
    expect([...io.disk.files.keys()]).toContain("/p/bundle/manifests/other.clusterserviceversion.yaml");
  });
});

function projectIo({ stdin = "", files = {} }: { stdin?: string; files?: Record<string, string> }): MemoryIo {
  return { ...memoryIo({ files: { "/p/PROJECT": project, ...files } }), stdin: bytes(stdin) };
}

async function generate(io: MemoryIo, ...flags: string[]): Promise<number> {
  return main(["generate", "bundle", ...flags], io);
}

function prepareNextRun(io: MemoryIo): MemoryIo {
  return { ...io, stdin: bytes(manifests), now: () => new Date("2027-01-01T00:00:00Z") };
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
