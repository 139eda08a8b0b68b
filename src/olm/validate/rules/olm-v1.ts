import { compareCrds } from "../../../apimachinery/crd/compare-crds.ts";
import type { CustomResourceDefinition } from "../../../apimachinery/crd/crd-types.ts";
import type { Bundle } from "../../bundle/bundle.ts";
import type { Report, Rule } from "../finding.ts";

/** Checks what OLM v1 refuses to install, or ignores, although OLM v0 takes it. */
export const checkOlmV1: Rule = (bundle, report, { previousCrds }) => {
  checkRequirements(bundle, report);
  checkInstallModes(bundle, report);
  checkConditions(bundle, report);
  if (previousCrds) checkCrdUpgrade(previousCrds, bundle, report);
};

function checkRequirements({ content, csv }: Bundle, report: Report): void {
  const error = (field: string, detail: string): void => report("error", "olm-v1", detail, { field });
  const { customresourcedefinitions: crds, apiservicedefinitions: apis } = csv.spec;
  if (/^\s*- *type:/m.test(content.get("metadata/dependencies.yaml") ?? ""))
    error("metadata/dependencies.yaml", "OLM v1 installs no bundle with dependencies");
  if (crds?.required?.length)
    error("spec.customresourcedefinitions.required", "OLM v1 installs no bundle that requires CRDs of others");
  if (apis?.owned?.length || apis?.required?.length)
    error("spec.apiservicedefinitions", "OLM v1 installs no bundle with APIServices");
}

function checkInstallModes({ csv }: Bundle, report: Report): void {
  const modes = new Set((csv.spec.installModes ?? []).filter(({ supported }) => supported).map(({ type }) => type));
  if (modes.has("AllNamespaces")) return;
  const field = "spec.installModes";
  const advice = "without AllNamespaces, a ClusterExtension must set spec.config.inline.watchNamespace";
  if (modes.has("SingleNamespace") || modes.has("OwnNamespace")) report("warning", "olm-v1", advice, { field });
  else report("error", "olm-v1", "OLM v1 does not know MultiNamespace", { field });
}

function checkConditions({ csv }: Bundle, report: Report): void {
  const { permissions = [], clusterPermissions = [] } = csv.spec.install?.spec ?? {};
  const rules = [...permissions, ...clusterPermissions].flatMap((each) => each.rules);
  if (rules.some(({ resources = [] }) => resources.some((name) => name.startsWith("operatorconditions"))))
    report("warning", "olm-v1", "OLM v1 ignores OperatorConditions: an operator cannot hold back its upgrade", {
      value: "operatorconditions",
    });
}

/** Reports the changes since the bundle before for which OLM v1 does not upgrade. */
function checkCrdUpgrade(before: readonly CustomResourceDefinition[], { crds }: Bundle, report: Report): void {
  const after = crds as unknown as readonly CustomResourceDefinition[];
  for (const { crd, version, change, verdict } of compareCrds(before, after)) {
    // OLM v1 refuses a default where there was none, too, although no object becomes invalid.
    if (verdict === "safe" && !change.includes(": default none →")) continue;
    const field = version === undefined ? crd : `${crd} ${version}`;
    const detail = `OLM v1 does not upgrade a bundle with this change (${verdict}): ${change}`;
    report("error", "olm-v1-crd", detail, { field });
  }
}
