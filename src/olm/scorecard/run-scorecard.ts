import { TsopError } from "../../errors/tsop-error.ts";
import type { Bundle } from "../bundle/bundle.ts";
import { builtInTests, type TestResult } from "./built-in-tests.ts";
import type { TestSpec } from "./configuration.ts";

/** A test with its results, or without them if it was only listed. */
export interface Test {
  readonly spec: TestSpec;
  readonly results: readonly TestResult[];
}

/** Runs tests on a bundle in this process. Tests with other images need a cluster. */
export async function runScorecard(bundle: Bundle, tests: readonly TestSpec[]): Promise<Test[]> {
  const foreign = tests.filter((test) => !isBuiltIn(test)).map(({ image }) => image);
  if (foreign.length > 0) throw new TsopError("TSOP_SCORECARD_IMAGE", { images: [...new Set(foreign)].join(", ") });
  const run = async (spec: TestSpec): Promise<Test> => ({
    spec,
    results: [await runTest(bundle, spec.entrypoint?.[1] ?? "")],
  });
  return Promise.all(tests.map(run));
}

/** Reports whether a test is one of this program's, also if a registry mirrors its image under another name. */
function isBuiltIn({ image, entrypoint: [program, name = ""] = [] }: TestSpec): boolean {
  const isOriginal = /(^|\/)operator-framework\/scorecard-test[:@]/.test(image);
  return program === "scorecard-test" && (isOriginal || Object.hasOwn(builtInTests, name));
}

async function runTest(bundle: Bundle, name: string): Promise<TestResult> {
  const test = builtInTests[name];
  if (test) return test(bundle);
  const names = Object.keys(builtInTests).join(", ");
  return { state: "fail", errors: [`There is no test ${name}; this image has ${names}`], creationTimestamp: null };
}
