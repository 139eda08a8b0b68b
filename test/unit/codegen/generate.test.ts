import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { parseYamlDocuments } from "../../../src/apimachinery/yaml/parse.ts";
import { generate, type Output } from "../../../src/codegen/generate.ts";
import { applyPlan } from "../../../src/files/apply.ts";
import { memoryDisk, type MemoryDisk } from "../../../src/files/memory-disk.ts";

const group = "// +groupName=cache.example.com\n";
const memcached = `
import type { Int32, ObjectMeta } from "tsop";

/**
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface Memcached {
  metadata: ObjectMeta;
  spec: { size: Int32; "odd-name"?: string };
}

// +kubebuilder:object:root=true
export interface MemcachedList { items: Memcached[]; metadata: object }
`;

const all: readonly Output[] = ["crd", "rbac", "webhook", "kinds"];
const controller = "// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get\nexport class Reconciler {}\n";

function project(files: Record<string, string> = {}): MemoryDisk {
  const standard = { "api/v1/groupversion_info.ts": group, "api/v1/types.ts": memcached, "main.ts": controller };
  return memoryDisk(
    Object.fromEntries(Object.entries({ ...standard, ...files }).map(([path, text]) => [`/p/${path}`, text])),
  );
}

function run(disk: MemoryDisk, outputs = all): ReturnType<typeof generate> {
  return generate({ root: "/p", disk, outputs, version: "1.2.3" });
}

describe("generate", () => {
  it("writes manifests and code, and nothing when run again", async () => {
    const disk = project();
    const { plan } = await run(disk);
    expect(plan.changes.map(({ type, path }) => [type, path])).toEqual([
      ["create", "config/crd/bases/cache.example.com_memcacheds.yaml"],
      ["create", "config/rbac/role.yaml"],
      ["create", "api/v1/zz_generated.kinds.ts"],
    ]);
    await applyPlan(plan, disk);
    expect((await run(disk)).plan.changes).toEqual([]);
  });

  it("updates what changed and removes what it wrote for a kind that is gone", async () => {
    const disk = project();
    await applyPlan((await run(disk)).plan, disk);
    await disk.write("/p/api/v1/types.ts", memcached.replaceAll("Memcached", "Redis"));
    expect((await run(disk)).plan.changes.map(({ type, path }) => [type, path])).toEqual([
      ["create", "config/crd/bases/cache.example.com_redis.yaml"],
      ["update", "api/v1/zz_generated.kinds.ts"],
      ["remove", "config/crd/bases/cache.example.com_memcacheds.yaml"],
    ]);
    await disk.remove("/p/api/v1/types.ts");
    expect((await run(disk)).plan.changes.map(({ type, path }) => [type, path])).toEqual([
      ["remove", "config/crd/bases/cache.example.com_memcacheds.yaml"],
      ["remove", "api/v1/zz_generated.kinds.ts"],
    ]);
  });

  it("says nothing of conversion, which is a patch of config/crd", async () => {
    const hub = memcached.replace("/**\n", "/**\n * +kubebuilder:storageversion\n");
    const disk = project({ "api/v1/types.ts": hub, "api/v2/types.ts": group + memcached });
    await applyPlan((await run(disk, ["crd"])).plan, disk);
    const [crd] = parseYamlDocuments(disk.files.get("/p/config/crd/bases/cache.example.com_memcacheds.yaml") ?? "");
    expect(crd).toMatchObject({
      spec: {
        versions: [
          { name: "v1", storage: true },
          { name: "v2", storage: false },
        ],
      },
    });
    expect(crd).not.toHaveProperty("spec.conversion");
  });

  it("leaves CRDs alone that somebody else wrote", async () => {
    const disk = project({ "config/crd/bases/other.yaml": "kind: CustomResourceDefinition\n" });
    const { plan } = await run(disk);
    expect(plan.changes.filter(({ type }) => type === "remove")).toEqual([]);
  });

  it("reads neither tests nor dependencies nor generated files", async () => {
    const wrong = "// +kubebuilder:wrong\nexport {};\n";
    const ignored = [
      "a.test.ts",
      "types.d.ts",
      "zz_generated.x.ts",
      "node_modules/x/index.ts",
      "dist/x.ts",
      ".hidden/x.ts",
    ];
    const disk = project(Object.fromEntries(ignored.map((path) => [path, wrong])));
    expect((await run(disk)).plan.changes).toHaveLength(3);
  });

  it("reports everything that is wrong at once, and plans nothing", async () => {
    const disk = project({
      "controllers/a.ts": "// +kubebuilder:rbac:groups=apps\nexport {};\n// +kubebuilder:wrong\n",
    });
    await expect(run(disk)).rejects.toMatchObject({
      diagnostics: [
        { file: "controllers/a.ts", line: 1, code: "TSOP_MARKER_SYNTAX" },
        { file: "controllers/a.ts", line: 3, code: "TSOP_MARKER_UNKNOWN" },
      ],
    });
  });

  it("writes code that prettier leaves as it is", async () => {
    const long = "a long description that goes on and on, ".repeat(4);
    const disk = project({
      "api/v1/types.ts": memcached.replace("size: Int32;", `/** ${long}*/ size: Int32; /** it's "quoted" */ q: 1 | 2;`),
    });
    const { plan } = await run(disk, ["kinds"]);
    const [change] = plan.changes;
    const text = change && "text" in change ? change.text : "";
    expect(text).toContain("export function isMemcached(object: unknown): object is Memcached");
    expect(await format(text, { parser: "typescript", printWidth: 120 })).toBe(text);
  });

  it("takes the group and version from markers, and names types of several files apart", async () => {
    const disk = project({
      "api/v1/other_types.ts": memcached.replaceAll("Memcached", "Redis"),
      "api/v1/groupversion_info.ts": `${group}// +versionName=v1beta1\n`,
    });
    const { plan } = await run(disk, ["kinds"]);
    const [change] = plan.changes;
    const text = change && "text" in change ? change.text : "";
    expect(text).toContain(
      'import type * as types1 from "./other_types.ts";\nimport type * as types2 from "./types.ts";',
    );
    expect(text).toContain('version: "v1beta1"');
  });

  it.each([
    ["path=/x,url=https://x", "it needs either path or url"],
    ["path=/x,sideEffects=Some", "sideEffects is Some"],
    ["path=/x,timeoutSeconds=31", "timeoutSeconds is 31"],
    ["path=/x,matchPolicy=Roughly", "there is no matchPolicy Roughly"],
    ["path=/x,reinvocationPolicy=Never", "only mutating webhooks have a reinvocationPolicy"],
    ["path=/x,webhookVersions=v1beta1", "webhookVersions can only be v1"],
    ["path=/x,patch=`[]`", "patch is no JSON object"],
  ])("refuses a webhook marker with %s", async (given, reason) => {
    const sideEffects = given.includes("sideEffects") ? "" : ",sideEffects=None";
    const marker = `+kubebuilder:webhook:${given}${sideEffects},mutating=false,failurePolicy=fail,groups=a,resources=b,verbs=create,versions=v1,name=x.kb.io,admissionReviewVersions=v1`;
    const disk = project({ "main.ts": `// ${marker}\nexport {};\n` });
    await expect(run(disk)).rejects.toMatchObject({
      diagnostics: [{ file: "main.ts", line: 1, column: 4, message: `webhook x.kb.io: ${reason}` }],
    });
  });
});
