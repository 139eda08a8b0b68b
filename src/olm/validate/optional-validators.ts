import { TsopError } from "../../errors/tsop-error.ts";
import { readSelector } from "../read-selector.ts";
import type { Rule } from "./finding.ts";
import { checkMinKubeVersion } from "./rules/csv-fields.ts";
import { checkGoodPractices } from "./rules/good-practices.ts";
import { checkOlmV1 } from "./rules/olm-v1.ts";
import { checkMultiarch } from "./rules/multiarch.ts";
import {
  checkCapabilities,
  checkCategories,
  checkIcon,
  checkOperatorHub,
  warnDeprecatedHub,
} from "./rules/operator-hub.ts";
import { checkCommunity, checkRemovedApis } from "./rules/removed-apis.ts";

/** Rules that are selected by label. */
export interface OptionalValidator {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly description: string;
  readonly rules: readonly Rule[];
}

const hubRules: readonly Rule[] = [checkOperatorHub, checkIcon, checkMinKubeVersion, checkRemovedApis];

/** The validators for `--select-optional`. */
export const optionalValidators: readonly OptionalValidator[] = [
  inSuite("operatorhubv2", "what operatorhub.io shows of an operator, and removed APIs", hubRules),
  inSuite("capabilities", "the annotation capabilities", [checkCapabilities]),
  inSuite("categories", "the annotation categories", [checkCategories]),
  {
    name: "operatorhub",
    labels: { name: "operatorhub" },
    description: "deprecated: operatorhubv2, capabilities and categories in one",
    rules: [...hubRules, checkCapabilities, checkCategories, warnDeprecatedHub],
  },
  {
    name: "community",
    labels: { name: "community" },
    description: "OpenShift versions of bundles that use removed APIs",
    rules: [checkCommunity],
  },
  inSuite("alpha-deprecated-apis", "APIs that Kubernetes 1.22, 1.25 and 1.26 removed", [checkRemovedApis]),
  inSuite("good-practices", "requests, descriptions, names and rights", [checkGoodPractices]),
  {
    name: "olmv1",
    labels: { name: "olmv1" },
    description:
      "what OLM v1 refuses or ignores, and changes of CRDs since the bundle of --optional-values=previous=FOLDER",
    rules: [checkOlmV1],
  },
  {
    name: "multiarch",
    labels: { name: "multiarch" },
    description: "platforms of all images, asked of their registries",
    rules: [checkMultiarch],
  },
];

/** Returns the validators whose labels match a selector. */
export function selectValidators(selector: string): readonly OptionalValidator[] {
  const matcher = readSelector(selector);
  const selected = optionalValidators.filter(({ labels }) => matcher.matches(labels));
  if (selected.length > 0) return selected;
  const names = optionalValidators.map(({ name }) => `name=${name}`).join(", ");
  throw new TsopError("TSOP_VALIDATOR_UNKNOWN", { selector, names });
}

function inSuite(name: string, description: string, rules: readonly Rule[]): OptionalValidator {
  return { name, labels: { name, suite: "operatorframework" }, description, rules };
}

/** Formats the table of the validators for `--select-optional`. */
export function formatValidators(): string {
  const rows = optionalValidators.flatMap(({ name, labels, description }) =>
    Object.entries(labels).map(([key, value], index) =>
      index === 0 ? [name, `${key}=${value}`, description] : ["", `${key}=${value}`, ""],
    ),
  );
  const table = [["NAME", "LABELS", "DESCRIPTION"], ...rows];
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => row[column]!.length)) + 3);
  const line = ([name = "", label = "", description = ""]: string[]): string =>
    `${name.padEnd(widths[0]!)}${label.padEnd(widths[1]!)}${description}`.trimEnd();
  return `${table.map(line).join("\n")}\n`;
}
