import type { Rule } from "./finding.ts";
import { checkCommunity } from "./rules/community.ts";
import { checkCrds } from "./rules/crds.ts";
import {
  checkAnnotationNames,
  checkInstallModes,
  checkMinKubeVersion,
  checkNames,
  checkRequiredFields,
} from "./rules/csv.ts";
import { checkExamples } from "./rules/examples.ts";
import { checkGoodPractices } from "./rules/good-practices.ts";
import { checkAnnotations, checkDependencies } from "./rules/metadata.ts";
import { checkMultiarch } from "./rules/multiarch.ts";
import { checkObjects, checkOwnedCrds, checkServiceAccounts, checkSize } from "./rules/objects.ts";
import {
  checkCapabilities,
  checkCategories,
  checkIcon,
  checkOperatorHub,
  warnDeprecatedHub,
} from "./rules/operator-hub.ts";
import { checkRemovedApis } from "./rules/removed-apis.ts";

/** What every bundle must keep to so that OLM can read it. */
export const formatRules: readonly Rule[] = [checkAnnotations, checkDependencies];

/** What every CSV must keep to. */
export const csvRules: readonly Rule[] = [
  checkNames,
  checkExamples,
  checkInstallModes,
  checkMinKubeVersion,
  checkRequiredFields,
  checkAnnotationNames,
];

/** What every bundle's content must keep to. */
export const contentRules: readonly Rule[] = [
  checkObjects,
  checkOwnedCrds,
  checkServiceAccounts,
  checkSize,
  ...csvRules,
  checkCrds,
];

/** Rules that people choose by label. */
export interface OptionalValidator {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly description: string;
  readonly rules: readonly Rule[];
}

const hubRules: readonly Rule[] = [checkOperatorHub, checkIcon, checkMinKubeVersion, checkRemovedApis];

/** The validators that `--select-optional` chooses from. */
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
    name: "multiarch",
    labels: { name: "multiarch" },
    description: "platforms of all images, asked of their registries",
    rules: [checkMultiarch],
  },
];

function inSuite(name: string, description: string, rules: readonly Rule[]): OptionalValidator {
  return { name, labels: { name, suite: "operatorframework" }, description, rules };
}
