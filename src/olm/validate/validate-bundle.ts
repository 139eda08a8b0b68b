import type { Bundle } from "../bundle/bundle.ts";
import { csvRules, runRules } from "./csv-rules.ts";
import type { Finding, Rule, RuleOptions } from "./finding.ts";
import type { OptionalValidator } from "./optional-validators.ts";
import { checkCrds } from "./rules/crds.ts";
import { checkAnnotations, checkDependencies } from "./rules/metadata.ts";
import { checkObjects, checkOwnedCrds, checkServiceAccounts, checkSize } from "./rules/objects.ts";

/** The rules without which OLM cannot read a bundle. */
const formatRules: readonly Rule[] = [checkAnnotations, checkDependencies];

/** The rules for the content of every bundle. */
const contentRules: readonly Rule[] = [
  checkObjects,
  checkOwnedCrds,
  checkServiceAccounts,
  checkSize,
  ...csvRules,
  checkCrds,
];

/** Runs the default rules and the rules of the selected validators. */
export async function validateBundle(
  bundle: Bundle,
  validators: readonly OptionalValidator[] = [],
  options: RuleOptions = {},
): Promise<Finding[]> {
  const rules = [...formatRules, ...contentRules, ...validators.flatMap(({ rules }) => rules)];
  return runRules(rules, bundle, options);
}
