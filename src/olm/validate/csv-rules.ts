import type { Rule } from "./finding.ts";
import {
  checkAnnotationNames,
  checkInstallModes,
  checkMinKubeVersion,
  checkNames,
  checkRequiredFields,
} from "./rules/csv.ts";
import { checkExamples } from "./rules/examples.ts";

/** What every CSV must keep to. */
export const csvRules: readonly Rule[] = [
  checkNames,
  checkExamples,
  checkInstallModes,
  checkMinKubeVersion,
  checkRequiredFields,
  checkAnnotationNames,
];
