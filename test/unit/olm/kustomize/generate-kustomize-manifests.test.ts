import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { main } from "../../../../src/cli/main.ts";
import { memoryIo, type MemoryIo } from "../../cli/memory-io.ts";

const project =
  'domain: example.com\nlayout:\n- typescript.tsop.dev/v1\nprojectName: memcached-operator\nversion: "3"\n';
const base = "/p/config/manifests/bases/memcached-operator.clusterserviceversion.yaml";
const types = `// +groupName=cache.example.com
import type { ObjectMeta } from "tsop";

/** Memcached is a cache. */
// +kubebuilder:object:root=true
export interface Memcached {
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: { size: number };
}
`;

describe("tsop generate kustomize manifests", () => {
  it("writes a base with placeholders, and its kustomization", async () => {
    const io = projectIo({ "/p/api/v1/memcached_types.ts": types.replace("number", "string") });
    expect(await generate(io)).toBe(0);
    const { metadata, spec } = load(io.disk.files.get(base)!) as any;
    expect(metadata.name).toBe("memcached-operator.v0.0.0");
    expect(spec.displayName).toBe("Memcached Operator");
    expect(spec.customresourcedefinitions.owned).toEqual([
      {
        name: "memcacheds.cache.example.com",
        version: "v1",
        kind: "Memcached",
        displayName: "Memcached",
        description: "Memcached is a cache.",
      },
    ]);
    expect(io.disk.files.get("/p/config/manifests/kustomization.yaml")).toContain("- ../scorecard");
  });

  it("reads markers as operator-sdk reads those of Go types", async () => {
    const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
    const types = read("../cases/markers/typescript/api/v1alpha1/types.ts");
    const io = projectIo({ "/p/api/v1alpha1/types.ts": types });
    expect(await generate(io), io.err()).toBe(0);
    // operator-sdk writes an empty icon, which its own validators reject.
    const emptyIcon = '  icon:\n  - base64data: ""\n    mediatype: ""\n';
    const recorded = read("../recorded/markers.yaml");
    expect(recorded).toContain(emptyIcon);
    expect(io.disk.files.get(base)).toBe(recorded.replace(emptyIcon, ""));
  });

  it("needs no storage version, as operator-sdk does not", async () => {
    const io = projectIo({ "/p/api/v1/memcached_types.ts": types, "/p/api/v2/memcached_types.ts": types });
    expect(await generate(io), io.err()).toBe(0);
    const { spec } = load(io.disk.files.get(base)!) as any;
    expect(spec.customresourcedefinitions.owned.map(({ version }: any) => version)).toEqual(["v2", "v1"]);
  });

  it("rejects a resource without a version", async () => {
    const marker = "// +operator-sdk:csv:customresourcedefinitions:resources={{Pod}}\n// +kubebuilder:object:root";
    const broken = types.replace("// +kubebuilder:object:root", marker).replace("number", "string");
    const io = projectIo({ "/p/api/v1/memcached_types.ts": broken });
    expect(await generate(io)).toBe(1);
    expect(io.err()).toContain("TSOP_CSV_RESOURCE");
  });

  it("keeps edits of users, including comments, if nothing changes", async () => {
    const io = projectIo();
    await generate(io);
    const edited = `# ours\n${io.disk.files.get(base)!.replace("Memcached Operator description. TODO.", "It caches.")}`;
    await io.disk.write(base, edited);
    expect(await generate(io)).toBe(0);
    expect(io.disk.files.get(base)).toBe(edited);
  });

  it("drops unknown fields of the base with a warning, as operator-sdk does silently", async () => {
    const io = projectIo();
    await generate(io);
    const written = io.disk.files.get(base)!;
    await io.disk.write(base, written.replace("\nspec:", "\nspec:\n  bar: 1"));
    expect(await generate(io)).toBe(0);
    expect(io.err()).toContain(`${base}: dropped what a ClusterServiceVersion does not have: spec.bar\n`);
    expect(io.disk.files.get(base)).toBe(written);
  });

  it("adds a new kind to the base, and keeps entries of other projects", async () => {
    const io = projectIo();
    await generate(io);
    const foreign =
      "customresourcedefinitions:\n    owned:\n    - {kind: Other, name: others.example.com, version: v1}";
    await io.disk.write(base, io.disk.files.get(base)!.replace("customresourcedefinitions: {}", foreign));
    await io.disk.makeFolder("/p/api/v1");
    await io.disk.write("/p/api/v1/memcached_types.ts", types.replace("number", "string"));
    expect(await generate(io)).toBe(0);
    const { spec } = load(io.disk.files.get(base)!) as any;
    expect(spec.customresourcedefinitions.owned.map(({ kind }: any) => kind)).toEqual(["Other", "Memcached"]);
  });

  it("updates the version in its name", async () => {
    const io = projectIo();
    await generate(io);
    await io.disk.write(base, io.disk.files.get(base)!.replace("version: 0.0.0", "version: 1.2.3"));
    await generate(io);
    expect(io.disk.files.get(base)).toContain("name: memcached-operator.v1.2.3\n");
  });

  it("asks on a terminal if there is no base, until every answer is valid", async () => {
    const questions: string[] = [];
    const answers = [
      "",
      "My Cache",
      "It caches",
      "Us",
      "",
      "cache, fast",
      "Ann",
      "Ann:ann@example.com, Bo:bo@example.com",
    ];
    const io = {
      ...projectIo(),
      isTTY: true,
      prompt: {
        confirm: async () => true,
        input: async ({ message }: { message: string }) => {
          questions.push(message);
          return answers.shift()!;
        },
      },
    };
    expect(await generate(io)).toBe(0);
    const { spec } = load(io.disk.files.get(base)!) as any;
    expect(spec).toMatchObject({
      displayName: "My Cache",
      description: "It caches",
      provider: { name: "Us" },
      keywords: ["cache", "fast"],
      maintainers: [
        { name: "Ann", email: "ann@example.com" },
        { name: "Bo", email: "bo@example.com" },
      ],
    });
    expect(questions).toHaveLength(8);
    expect(await generate(io)).toBe(0);
    expect(questions).toHaveLength(8);
  });

  it("rejects a base file without a base", async () => {
    const io = projectIo({ [base]: "apiVersion: v1\nkind: ConfigMap\n" });
    expect(await generate(io)).toBe(1);
    expect(io.err()).toContain("TSOP_BASE_WITHOUT_CSV");
  });

  it.each(["spec: 3", "spec: {customresourcedefinitions: {owned: [null]}}", "metadata: []"])(
    "rejects a base with another structure: %s",
    async (text) => {
      const io = projectIo({
        [base]: `apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\n${text}\n`,
      });
      expect(await generate(io)).toBe(1);
      expect(io.err()).toContain("TSOP_BUNDLE_SHAPE");
    },
  );

  it("needs a project", async () => {
    const io = memoryIo();
    expect(await generate(io)).toBe(1);
    expect(io.err()).toContain("TSOP_PROJECT_NOT_FOUND");
  });
});

function projectIo(files: Record<string, string> = {}): MemoryIo {
  return memoryIo({ files: { "/p/PROJECT": project, ...files } });
}

async function generate(io: MemoryIo): Promise<number> {
  return main(["generate", "kustomize", "manifests"], io);
}
