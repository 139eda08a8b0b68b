import { posix } from "node:path";
import { TsopError } from "../../errors/tsop-error.ts";
import { annotationKeys, type BundleContent } from "../bundle/bundle.ts";
import { typedScorecardConfig } from "../generate/typed-form.ts";
import { parseObjects } from "../parse-objects.ts";
import { readSelector } from "../read-selector.ts";
import { readShape, type Shape } from "../../apimachinery/read-shape.ts";

export interface Configuration {
  readonly stages: readonly Stage[];
  readonly serviceaccount?: string;
}

/** Tests that run one after the other, or at once. */
export interface Stage {
  readonly parallel?: boolean;
  readonly tests: readonly TestSpec[];
}

/** A test in the configuration. */
export interface TestSpec {
  readonly image: string;
  readonly entrypoint?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** Parses a scorecard configuration. */
export function parseConfiguration(text: string, file: string): Configuration {
  const [config] = parseObjects(text, file);
  const isScorecard =
    config?.apiVersion === "scorecard.operatorframework.io/v1alpha3" && config.kind === "Configuration";
  if (!isScorecard) {
    throw new TsopError("TSOP_SCORECARD_CONFIG", {
      file,
      reason: "it is not a Configuration of scorecard.operatorframework.io/v1alpha3",
    });
  }
  const read = readShape(config, configurationShape, file) as typeof config;
  const storage = read["storage"];
  const typed = typedScorecardConfig(read) as unknown as Configuration;
  // A common storage applies to each test without its own.
  return storage ? { ...typed, ...withStorage(typed, storage) } : typed;
}

const configurationShape: Shape = {
  "metadata!": { name: "text" },
  serviceaccount: "text",
  "stages!": [{ "tests!": [{ "image!": "text", entrypoint: ["text"], labels: "texts" }] }],
};

/** Returns the path of the configuration in a bundle. */
export function configurationPath(content: BundleContent, annotations: Readonly<Record<string, string>>): string {
  const isScorecard = annotations[annotationKeys.testMediaType] === "scorecard+v1";
  const folder = (isScorecard ? annotations[annotationKeys.testConfig] : undefined) ?? "tests/scorecard/";
  const file = posix.join(folder, "config.yaml");
  if (!content.has(file))
    throw new TsopError("TSOP_SCORECARD_CONFIG", { file, reason: "the bundle does not contain this file" });
  return file;
}

/** Returns the tests whose labels match a selector, stage by stage. Fails if none of the tests does. */
export function selectTests({ stages }: Configuration, selector: string): Stage[] {
  const matcher = readSelector(selector);
  const isSelected = ({ labels = {} }: TestSpec): boolean => matcher.matches(labels);
  const selected = stages.map((stage) => ({ ...stage, tests: stage.tests.filter(isSelected) }));
  const all = stages.flatMap(({ tests }) => tests);
  if (all.length === 0 || selected.some(({ tests }) => tests.length > 0)) return selected;
  const pairs = all.flatMap((test) => Object.entries(test.labels ?? {}).map(([key, value]) => `${key}=${value}`));
  const labels = [...new Set(pairs)].toSorted().join(", ") || "they have none";
  throw new TsopError("TSOP_SCORECARD_SELECTOR", { selector, labels });
}

function withStorage({ stages }: Configuration, storage: unknown): Configuration {
  const none = JSON.stringify({ spec: { mountPath: {} } });
  const give = (test: TestSpec): TestSpec => (JSON.stringify(test["storage"]) === none ? { ...test, storage } : test);
  return { stages: stages.map((stage) => ({ ...stage, tests: stage.tests.map(give) })) };
}
