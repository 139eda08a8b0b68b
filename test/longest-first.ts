import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take minutes. One that starts late would run alone at the end. */
const longest = [
  "conformance/apiserver/conformance.test.ts",
  "unit/local/run-local.test.ts",
  "hostile/persistence.test.ts",
  "conformance/apiserver/controllers.test.ts",
  "conformance/olm/olm.test.ts",
  "unit/olm/cluster/bundle-flags.test.ts",
  "conformance/differential/differential.test.ts",
  "golden/projects.test.ts",
  "golden/update.test.ts",
  "check/ground-truth.test.ts",
  "e2e/documents.test.ts",
  "e2e/journey.test.ts",
  "e2e/kubectl-sessions.test.ts",
  "e2e/examples.test.ts",
];

/** Starts the longest files first, then the others in the order of Vitest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = longest.flatMap((path) => sorted.filter(({ moduleId }) => moduleId.endsWith(`/test/${path}`)));
    return [...new Set([...first, ...sorted])];
  }
}
