import type { Bundle } from "../bundle/bundle.ts";
import { formatFinding, type Finding, type Rule, type RuleOptions } from "./finding.ts";

/** Runs rules; a finding of two rules is reported once. */
export async function runRules(rules: readonly Rule[], bundle: Bundle, options: RuleOptions = {}): Promise<Finding[]> {
  const findings = new Map<string, Finding>();
  for (const rule of new Set(rules)) {
    await rule(bundle, (finding) => void findings.set(formatFinding(finding), finding), options);
  }
  return [...findings.values()];
}
