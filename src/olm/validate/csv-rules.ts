import type { Rule } from "./finding.ts";
import {
  checkAnnotationNames,
  checkInstallModes,
  checkMinKubeVersion,
  checkNames,
  checkRequiredFields,
} from "./rules/csv-fields.ts";
import { checkExamples } from "./rules/examples.ts";

/** The rules for every CSV. */
export const csvRules: readonly Rule[] = [
  checkNames,
  checkExamples,
  checkInstallModes,
  checkMinKubeVersion,
  checkRequiredFields,
  checkAnnotationNames,
];
