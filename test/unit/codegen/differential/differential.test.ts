import { readFileSync, readdirSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { markerReference } from "../../../../src/codegen/markers/reference.ts";
import { generate } from "../../../../src/codegen/run-generators.ts";
import { realDisk } from "../../../../src/files/real-disk.ts";

const here = fileURLToPath(new URL("cases/", import.meta.url));
const twins = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory());

/** Go's output is recorded by cases/record; only the annotation of the tool differs. */
const version = "v0.23.0";

describe.each(twins.map(({ name }) => ({ name })))("the TypeScript twin of $name", ({ name }) => {
  it("produces the bytes that controller-gen writes for the Go package", async () => {
    const root = join(here, name, "ts");
    const { plan, warnings } = await generate({ root, disk: realDisk(), outputs: ["crd", "rbac", "webhook"], version });
    const generated = plan.changes.map((change) => [
      change.path.split("/").at(-1),
      "text" in change ? change.text : "",
    ]);
    expect(Object.fromEntries(generated)).toEqual(expectedFiles(join(here, name, "expected")));
    const expectedWarnings = join(here, name, "warnings.txt");
    expect(warnings.map(({ message }) => message).join("\n")).toBe(
      existsSync(expectedWarnings) ? readFileSync(expectedWarnings, "utf8").trim() : "",
    );
  });
});

/**
 * Markers without a twin: they concern Go code, apply configurations and operator-sdk, or only tsop has them, as most tags
 * of Kubernetes' own types, which controller-gen ignores.
 */
const withoutTwin =
  /^(k8s:(?!required|optional|immutable|enum|listType|listMapKey)|kubebuilder:ac:|kubebuilder:object:generate|operator-sdk:csv:|tsop:)/;

it.each(
  markerReference()
    .map(({ name }) => name)
    .filter((name) => !withoutTwin.test(name)),
)("one of the twins uses +%s", (name) => {
  const sources = readdirSync(here, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  const text = sources.map((path) => readFileSync(join(here, path), "utf8")).join("\n");
  expect(text).toMatch(new RegExp(`\\+${name.replaceAll(".", "\\.")}(?=$|[:=\\s*])`, "m"));
});

function expectedFiles(folder: string): Record<string, string> {
  const names = readdirSync(folder);
  return Object.fromEntries(
    names.map((name) => [
      name,
      readFileSync(join(folder, name), "utf8").replace("controller-gen.kubebuilder.io/version", "tsop.dev/version"),
    ]),
  );
}
