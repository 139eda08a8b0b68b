import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";

// Another tool's view: a program that imports the built package by its name.
const repository = fileURLToPath(new URL("../../../", import.meta.url));

const types = `import type { Int32, ObjectMeta } from "tsop";

// +kubebuilder:object:root=true
export interface Boat {
  metadata: ObjectMeta;
  spec: { /** How many row. */ crew: Int32 };
}
`;
const wrong = types
  .replace("crew: Int32", "crew: any")
  .replace("root=true", "root=true\n// +kubebuilder:subresource:statsu");
const sources = (text: string): Record<string, string> => ({
  "api/v1/groupversion_info.ts": "// +groupName=sea.example.com\n",
  "api/v1/boat_types.ts": text,
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tsop-codegen-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("loads and generates a project on disk, and then finds no changes", async () => {
  await mkdir(join(folder, "api/v1"), { recursive: true });
  for (const [path, text] of Object.entries(sources(types))) await writeFile(join(folder, path), text);
  const answer = await program(
    `const disk = realDisk(), root = input;
     const { resources } = await loadProjectTypes({ root, disk });
     const options = { root, disk, version: "9.9.9", outputs: ["crd", "rbac", "webhook", "kinds"] };
     const { plan, warnings } = await generate(options);
     const { created } = await applyPlan(plan, disk);
     const again = await generate(options);
     const [{ kind, plural, versions }] = resources;
     return { kind, plural, crew: versions[0].schema.properties.spec.properties.crew, warnings, created, left: again.plan.changes };`,
    folder,
  );
  expect(answer).toEqual({
    kind: "Boat",
    plural: "boats",
    crew: { description: "How many row.", type: "integer", format: "int32" },
    warnings: [],
    created: ["api/v1/zz_generated.kinds.ts", "config/crd/bases/sea.example.com_boats.yaml"],
    left: [],
  });
  const crd = await readFile(join(folder, "config/crd/bases/sea.example.com_boats.yaml"), "utf8");
  expect(crd).toContain("tsop.dev/version: 9.9.9");
});

it("reports every problem of a project in memory as data", async () => {
  const files = Object.fromEntries(Object.entries(sources(wrong)).map(([path, text]) => [`/p/${path}`, text]));
  const answer = await program(
    `try {
       await generate({ root: "/p", disk: memoryDisk(input), version: "9.9.9", outputs: ["crd"] });
     } catch (error) {
       return { known: error instanceof DiagnosticsError, diagnostics: error.diagnostics };
     }`,
    files,
  );
  expect(answer).toEqual({
    known: true,
    diagnostics: [
      {
        severity: "error",
        code: "TSOP_MARKER_UNKNOWN",
        file: "api/v1/boat_types.ts",
        line: 4,
        column: 4,
        message: expect.stringContaining("statsu"),
        hint: expect.stringContaining("+kubebuilder:subresource:status"),
      },
      {
        severity: "error",
        code: "TSOP_TYPE_UNSUPPORTED",
        file: "api/v1/boat_types.ts",
        line: 7,
        column: 38,
        message: expect.stringContaining("any"),
        hint: expect.any(String),
      },
    ],
  });
});

it("describes the markers", async () => {
  const answer = await program(`return markerReference().find(({ name }) => name === "listMapKey");`, null);
  expect(answer).toMatchObject({ usage: "+listMapKey=<string>", targets: ["field", "type"] });
});

/** Runs the body of a function of `input` with every export of tsop/codegen in scope, in a process of its own. */
async function program(body: string, input: unknown): Promise<unknown> {
  const names = "applyPlan, DiagnosticsError, generate, loadProjectTypes, markerReference, memoryDisk, realDisk";
  const code = `import { ${names} } from "tsop/codegen";
    const run = async (input) => { ${body} };
    console.log(JSON.stringify(await run(${JSON.stringify(input)})));`;
  // From here, "tsop" resolves to this package itself.
  const args = ["--input-type=module", "--eval", code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: repository });
  return JSON.parse(stdout);
}
