import type { Bundle } from "../../bundle/bundle.ts";
import { parseTolerantSemver } from "../../semver.ts";
import type { Report, Rule, RuleOptions } from "../finding.ts";
import { checkRemovedApis } from "./removed-apis.ts";

/**
 * Checks the upper version limit: OpenShift 4.9 is Kubernetes 1.22, and a bundle that uses APIs removed there must
 * exclude it.
 */
export const checkCommunity: Rule = async (bundle, report, options) => {
  const found = new Set<string>();
  await checkRemovedApis(bundle, (_level, rule) => void found.add(rule), {});
  if (!found.has("removed-1.22")) return;
  checkProperty(bundle, report);
  checkIndex(options, report);
};

function checkProperty({ csv }: Bundle, report: Report): void {
  const error = (detail: string): void => report("error", "community", detail, { field: "olm.maxOpenShiftVersion" });
  const text = csv.metadata.annotations?.["olm.properties"];
  if (text === undefined)
    return error("must be set below 4.9 in the annotation olm.properties: the bundle uses APIs removed in 1.22");
  let properties: unknown;
  try {
    properties = JSON.parse(text);
  } catch {
    return error("the annotation olm.properties is not JSON");
  }
  const list = Array.isArray(properties) ? (properties as { type?: string; value?: string | number }[]) : [];
  const value = list.find(({ type }) => type === "olm.maxOpenShiftVersion")?.value;
  if (value === undefined) return error("is not in the annotation olm.properties");
  const version = parseTolerantSemver(String(value));
  if (!version) return error(`${JSON.stringify(value)} is not a version`);
  if (version.major > 4 || version.minor >= 9) error(`${String(value)} must be below 4.9`);
}

function checkIndex({ indexDockerfile }: RuleOptions, report: Report): void {
  const field = "com.redhat.openshift.versions";
  if (indexDockerfile === undefined) {
    const detail = "cannot be checked: give the index image's Dockerfile with --optional-values=index-path=FILE";
    return report("warning", "community-index", detail, { field });
  }
  const label = /com\.redhat\.openshift\.versions\s*=\s*"?([^"\s]+)/.exec(indexDockerfile)?.[1];
  const error = (detail: string): void => report("error", "community-index", detail, { field });
  if (!label) return error("is not a label of the index image");
  const last = /^=?v?(?:\d+\.\d+-v?)?(\d+)\.(\d+)$/.exec(label);
  if (!last || Number(last[1]) > 4 || Number(last[2]) >= 9) error(`${label} must end below 4.9, as in v4.6-v4.8`);
}
