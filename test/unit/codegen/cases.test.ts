import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { emitYaml } from "../../../src/apimachinery/yaml/emit.ts";
import { generate, loadProjectTypes } from "../../../src/codegen/run-generators.ts";
import { DiagnosticsError, formatDiagnostic, type Diagnostic } from "../../../src/errors/diagnostic.ts";
import { memoryDisk } from "../../../src/files/memory-disk.ts";

// A case is a folder: input.ts declares Spec; output.yaml is its schema, or error.txt its messages. Other files are
// placed next to input.ts.
const folder = fileURLToPath(new URL("cases", import.meta.url));

describe.each(readdirSync(folder).map((name) => ({ name })))("case $name", ({ name }) => {
  it("has the recorded schema or messages", async () => {
    const { schema, messages } = await evaluate(join(folder, name));
    if (process.env["TSOP_RECORD"] === "1")
      record(join(folder, name), { "error.txt": messages, "output.yaml": schema });
    expect(messages).toBe(readExpected(join(folder, name, "error.txt")));
    expect(schema).toBe(readExpected(join(folder, name, "output.yaml")));
  });
});

async function evaluate(path: string): Promise<{ schema: string; messages: string }> {
  const disk = memoryDisk(Object.fromEntries(readInputs(path)));
  try {
    const { kinds } = await loadProjectTypes({ root: "/p", disk });
    const { warnings } = await generate({ root: "/p", disk, version: "0.0.0", outputs: ["crd", "rbac"] });
    return { schema: emitYaml(kinds[0]?.schema.properties?.["spec"]), messages: format(warnings) };
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    return { schema: "", messages: format(error.diagnostics) };
  }
}

function readInputs(path: string): [string, string][] {
  const names = readdirSync(path).filter((name) => name.endsWith(".ts"));
  return names.map((name) => {
    const text = readFileSync(join(path, name), "utf8");
    return [`/p/api/v1/${name}`, name === "input.ts" && !text.includes("object:root") ? text + root : text];
  });
}

const root = `
// +groupName=example.com

/** +kubebuilder:object:root=true */
export interface Sample { metadata: import("tsop").ObjectMeta; spec: Spec }
`;

function format(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => `${formatDiagnostic(diagnostic)}\n`).join("");
}

/** Writes the output as the expectation with TSOP_RECORD=1: review the difference. */
function record(path: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) if (text) writeFileSync(join(path, name), text);
}

function readExpected(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
