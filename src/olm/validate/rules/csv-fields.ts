import { checkDns1123Subdomain } from "../../../apimachinery/names.ts";
import { parseSemver } from "../../semver.ts";
import type { Rule } from "../finding.ts";

/** Checks the names that become labels of objects that OLM creates. */
export const checkNames: Rule = ({ csv }, report) => {
  const names = { "metadata.name": csv.metadata.name ?? "", "spec.replaces": csv.spec.replaces ?? "" };
  for (const [field, value] of Object.entries(names)) {
    if (field === "spec.replaces" && value === "") continue;
    const broken = checkDns1123Subdomain(value) ?? (value.length > 63 ? "at most 63 characters" : undefined);
    if (broken) report("error", "csv-name", `is not a name: ${broken}`, { field, value });
  }
};

/** Checks the fields that OLM requires. */
export const checkRequiredFields: Rule = ({ csv }, report) => {
  const { displayName, install } = csv.spec;
  const missing = (field: string): void => report("error", "required-field", "is missing or empty", { field });
  if (Object.keys(csv.metadata).length === 0) missing("metadata");
  if (!displayName) missing("spec.displayName");
  if (!install || Object.keys(install).length === 0) return missing("spec.install");
  const { strategy = "" } = install;
  if (strategy === "") missing("spec.install.strategy");
  else if (strategy !== "deployment") {
    const detail = "must be deployment: OLM knows no other strategy, and the installation fails";
    report("error", "install-strategy", detail, { field: "spec.install.strategy", value: strategy });
  }
  const { spec = {} } = install;
  const hasMore = (spec.permissions?.length ?? 0) + (spec.clusterPermissions?.length ?? 0) > 0;
  if (hasMore && !spec.deployments) missing("spec.install.spec.deployments");
};

/** Checks the install modes. */
export const checkInstallModes: Rule = ({ csv }, report) => {
  const modes = csv.spec.installModes ?? [];
  const error = (rule: string, detail: string): void => report("error", rule, detail, { field: "spec.installModes" });
  if (modes.length === 0) return error("install-modes-missing", "no install modes are set");
  const supported = modes.filter((mode) => mode.supported).map(({ type }) => type);
  for (const type of new Set(modes.map((mode) => mode.type))) {
    if (modes.filter((mode) => mode.type === type).length > 1) error("install-modes-twice", `${type} is set twice`);
  }
  if (supported.length === 0) error("install-modes-unsupported", "no install mode is supported");
  const converts = (csv.spec.webhookdefinitions ?? []).filter(({ conversionCRDs = [] }) => conversionCRDs.length > 0);
  for (const { generateName } of converts) {
    if (supported.length === 1 && supported[0] === "AllNamespaces") continue;
    error("install-modes-conversion", `the conversion webhook ${generateName} needs AllNamespaces, and no other mode`);
  }
};

/** Checks the minimum version of Kubernetes. */
export const checkMinKubeVersion: Rule = ({ csv }, report) => {
  const value = csv.spec.minKubeVersion ?? "";
  const field = "spec.minKubeVersion";
  if (value.trim() === "") {
    const detail = "is not set: OLM offers the operator to clusters of every version";
    report("warning", "min-kube-version", detail, { field });
  } else if (!parseSemver(value)) {
    report("error", "min-kube-version", "must have three numbers, as in 1.25.0", { field, value });
  }
};

/** Checks the names of annotations, which OLM matches exactly. */
export const checkAnnotationNames: Rule = ({ csv }, report) => {
  for (const key of Object.keys(csv.metadata.annotations ?? {})) {
    const wanted = olmAnnotations.find((name) => name.toLowerCase() === key.toLowerCase());
    if (wanted && wanted !== key) {
      report("error", "annotation-case", `must be written ${wanted}`, { value: key });
    }
    if (key === "olm.properties") {
      const detail = "put properties into metadata/properties.yaml instead";
      report("warning", "annotation-properties", detail, { value: key });
    }
  }
};

const olmAnnotations = [
  "olm.operatorGroup",
  "olm.operatorNamespace",
  "olm.targetNamespaces",
  "olm.providedAPIs",
  "olm.skipRange",
];
