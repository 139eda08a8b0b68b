import { annotationKeys } from "../../bundle/bundle.ts";
import type { PolicyRule } from "../../csv/csv.ts";
import type { Rule } from "../finding.ts";

/** Suggests good practices. */
export const checkGoodPractices: Rule = (bundle, report) => {
  const { csv, annotations } = bundle;
  const install = csv.spec.install?.spec;
  const warn = (rule: string, value: string, detail: string): void => report("warning", rule, detail, { value });
  if (!install?.deployments) {
    report("error", "no-deployment", "the CSV installs no Deployment");
  }
  for (const { name, spec } of install?.deployments ?? []) {
    for (const container of spec.template?.spec?.containers ?? []) {
      if (Object.keys(container.resources?.requests ?? {}).length > 0) continue;
      warn("no-requests", `${name}/${container.name}`, "the container requests no CPU and memory");
    }
  }
  const { owned = [], required = [] } = csv.spec.customresourcedefinitions ?? {};
  for (const { name, description } of [...owned, ...required]) {
    if (!description) warn("no-description", name, "the CRD has no description in the CSV");
  }
  const rules = [...(install?.permissions ?? []), ...(install?.clusterPermissions ?? [])].flatMap(({ rules }) => rules);
  if (rules.some(maySpreadCrds)) {
    warn("creates-crds", csv.metadata.name ?? "", "the operator has permission to create CRDs, but OLM creates them");
  }
  const channels = [annotations[annotationKeys.channels], annotations[annotationKeys.defaultChannel]];
  for (const channel of new Set(channels.flatMap((list) => list?.split(",") ?? []).filter(Boolean))) {
    // alpha is the default channel, here as in operator-sdk.
    if (/^(alpha|candidate|stable|fast)/.test(channel)) continue;
    warn("channel-name", channel, "channel names should begin with candidate, fast or stable");
  }
  checkName(csv.metadata.name ?? "", (detail) => warn("csv-name-convention", csv.metadata.name ?? "", detail));
};

function maySpreadCrds({ apiGroups = [], resources = [], verbs = [] }: PolicyRule): boolean {
  const isAny = (list: readonly string[]): boolean => list.includes("*") || list.includes("[*]");
  return (
    apiGroups.includes("apiextensions.k8s.io") &&
    (isAny(resources) || resources.includes("customresourcedefinitions")) &&
    (isAny(verbs) || verbs.includes("create") || verbs.includes("patch"))
  );
}

function checkName(name: string, warn: (detail: string) => void): void {
  if (!/\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/.test(name)) warn("the name does not end in a semantic version");
  if (name.split(".v").length !== 2) warn("the name is not of the form NAME.vVERSION");
}
