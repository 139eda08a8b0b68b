import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CustomResourceDefinition } from "../../../src/apimachinery/crd/crd-types.ts";
import { parseYamlDocuments } from "../../../src/apimachinery/yaml/parse.ts";
import { defineResources } from "../../../src/codegen/define-resources.ts";
import { findKinds } from "../../../src/codegen/find-kinds.ts";
import { customResourceDefinition } from "../../../src/codegen/generate-crds.ts";
import { lintResources } from "../../../src/codegen/lint/lint-resources.ts";
import { Report } from "../../../src/codegen/report.ts";
import { ProjectSources } from "../../../src/codegen/source/project-sources.ts";
import type { Diagnostic } from "../../../src/errors/diagnostic.ts";
import { projectNames, readProject } from "../../golden/stored-projects.mjs";

export interface LoadedCrd {
  /** Path of the source, relative to the repository. */
  readonly from: string;
  readonly crd: CustomResourceDefinition;
}

const repository = fileURLToPath(new URL("../../../", import.meta.url));

/** Returns the committed CRDs of the golden projects, the examples, and the packages that have a Go twin. */
export function committedCrds(): LoadedCrd[] {
  const folders = [
    ...within("examples").map((path) => `${path}/config/crd/bases`),
    ...within("test/unit/codegen/differential/cases").map((path) => `${path}/expected`),
  ];
  const files = folders.flatMap(within).map((path) => [path, readFileSync(repository + path, "utf8")] as const);
  const golden = projectNames.flatMap((name) =>
    [...readProject(name)]
      .filter(([path]) => path.startsWith("config/crd/bases/"))
      .map(([path, text]) => [`test/golden/${name}/${path}`, text] as const),
  );
  return [...golden, ...files]
    .filter(([path]) => path.endsWith(".yaml"))
    .flatMap(([from, text]) =>
      parseYamlDocuments(text)
        .map((document) => document as CustomResourceDefinition)
        .filter(({ kind }) => kind === "CustomResourceDefinition")
        .map((crd) => ({ from, crd })),
    );
}

export interface LintedCrd extends LoadedCrd {
  readonly refusals: readonly Diagnostic[];
}

/**
 * Returns the CRDs of the case folders of the generators' tests with the findings of the lint; invalid ones are
 * separate.
 */
export async function caseCrds(): Promise<LintedCrd[]> {
  const folders = within("test/unit/codegen/cases");
  return (await Promise.all(folders.map((from) => lintCase(from, readCase(from))))).flat();
}

/** Returns the CRDs of one file with the findings of the lint. */
export async function lintCase(from: string, texts: ReadonlyMap<string, string>): Promise<LintedCrd[]> {
  const report = new Report();
  const sources = new ProjectSources(texts, report);
  const resources = defineResources(findKinds(sources, report).kinds, report);
  if (report.errors.length > 0) return [];
  const linted: LintedCrd[] = [];
  for (const resource of resources) {
    const own = new Report();
    await lintResources([resource], sources, own);
    const crd = JSON.parse(JSON.stringify(customResourceDefinition(resource, "test"))) as CustomResourceDefinition;
    linted.push({ from, crd, refusals: own.errors.filter(({ code }) => code === "TSOP_CRD_REFUSED") });
  }
  return linted;
}

function readCase(from: string): Map<string, string> {
  const names = readdirSync(repository + from).filter((name) => name.endsWith(".ts"));
  return new Map(
    names.map((name) => {
      const text = readFileSync(`${repository}${from}/${name}`, "utf8");
      return [`api/v1/${name}`, name === "input.ts" && !text.includes("object:root") ? text + sampleRoot : text];
    }),
  );
}

/** Wraps a type `Spec` in a kind. */
export const sampleRoot = `
// +groupName=example.com

/** +kubebuilder:object:root=true */
export interface Sample { metadata: import("tsop").ObjectMeta; spec: Spec }
`;

function within(path: string): string[] {
  return existsSync(repository + path) ? readdirSync(repository + path).map((name) => `${path}/${name}`) : [];
}
