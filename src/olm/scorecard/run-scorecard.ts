import { TsopError } from "../../errors/tsop-error.ts";
import type { Bundle } from "../bundle/bundle.ts";
import { builtInTests, type TestResult } from "./built-in-tests.ts";
import type { Stage, TestSpec } from "./configuration.ts";

/** A test with its results, or without them if it was only listed. */
export interface Test {
  readonly spec: TestSpec;
  readonly results: readonly TestResult[];
}

/** Runs a test in an image of its own. */
export type RunImage = (spec: TestSpec) => Promise<readonly TestResult[]>;

/** Returns the images of tests that are not built in; these need a cluster. */
export function foreignImages(stages: readonly Stage[]): string[] {
  const foreign = stages.flatMap(({ tests }) => tests).filter((test) => !isBuiltIn(test));
  return [...new Set(foreign.map(({ image }) => image))];
}

/** Runs tests on a bundle, stage by stage: the built-in ones in this process, the others in their images. */
export async function runScorecard(bundle: Bundle, stages: readonly Stage[], runImage?: RunImage): Promise<Test[]> {
  const images = foreignImages(stages);
  if (!runImage && images.length > 0) throw new TsopError("TSOP_SCORECARD_IMAGE", { images: images.join(", ") });
  const run = async (spec: TestSpec): Promise<Test> => {
    const isOwn = isBuiltIn(spec) || !runImage;
    return { spec, results: isOwn ? [await runTest(bundle, spec.entrypoint?.[1] ?? "")] : await runImage(spec) };
  };
  const all: Test[] = [];
  for (const { parallel = false, tests } of stages) {
    if (parallel) all.push(...(await Promise.all(tests.map(run))));
    else for (const test of tests) all.push(await run(test));
  }
  return all;
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
