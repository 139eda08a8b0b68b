import { formatFinding, type Rule, type Finding, type Report, type RuleOptions } from "./finding.ts";
import {
  checkAnnotationNames,
  checkInstallModes,
  checkMinKubeVersion,
  checkNames,
  checkRequiredFields,
} from "./rules/csv-fields.ts";
import { checkExamples } from "./rules/examples.ts";
import type { Bundle } from "../bundle/bundle.ts";

/** The rules for every CSV. */
export const csvRules: readonly Rule[] = [
  checkNames,
  checkExamples,
  checkInstallModes,
  checkMinKubeVersion,
  checkRequiredFields,
  checkAnnotationNames,
];

/** Runs rules; a finding of two rules is reported once. */
export async function runRules(rules: readonly Rule[], bundle: Bundle, options: RuleOptions = {}): Promise<Finding[]> {
  const findings = new Map<string, Finding>();
  const report: Report = (level, rule, detail, place) => {
    const finding = { level, rule, ...place, detail };
    findings.set(formatFinding(finding), finding);
  };
  for (const rule of new Set(rules)) await rule(bundle, report, options);
  return [...findings.values()];
}
