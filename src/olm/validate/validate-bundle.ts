import { TsopError } from "../../errors/tsop-error.ts";
import type { Bundle } from "../bundle/bundle.ts";
import { readSelector } from "../read-selector.ts";
import { formatFinding, type Finding, type Rule, type RuleOptions } from "./finding.ts";
import { contentRules, formatRules, optionalValidators, type OptionalValidator } from "./validators.ts";

/** Runs the default rules and those of the chosen validators. */
export function validateBundle(
  bundle: Bundle,
  validators: readonly OptionalValidator[] = [],
  options: RuleOptions = {},
): Finding[] {
  const rules = [...formatRules, ...contentRules, ...validators.flatMap(({ rules }) => rules)];
  return runRules(rules, bundle, options);
}

/** Runs rules; what two of them find is told once. */
export function runRules(rules: readonly Rule[], bundle: Bundle, options: RuleOptions = {}): Finding[] {
  const findings = new Map<string, Finding>();
  for (const rule of new Set(rules)) {
    rule(bundle, (finding) => void findings.set(formatFinding(finding), finding), options);
  }
  return [...findings.values()];
}

/** The validators whose labels a selector matches. */
export function selectValidators(selector: string): readonly OptionalValidator[] {
  const matcher = readSelector(selector);
  const selected = optionalValidators.filter(({ labels }) => matcher.matches(labels));
  if (selected.length > 0) return selected;
  const names = optionalValidators.map(({ name }) => `name=${name}`).join(", ");
  throw new TsopError("TSOP_VALIDATOR_UNKNOWN", { selector, names });
}
