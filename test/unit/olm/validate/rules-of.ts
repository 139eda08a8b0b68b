/** Returns the rules behind a message of operator-sdk; a message about the format covers several. */
export function rulesOf(output: string): string[] {
  const [level = ""] = output.split(" ");
  const parts = /Bundle validation errors: (.*)/s.exec(output)?.[1]?.split(/,(?=[A-Z])/) ?? [output];
  return parts.map((part) => {
    const rule = ruleTexts.find(([text]) => text.test(part))?.[1];
    if (!rule) throw new Error(`no rule is known for: ${part}`);
    return `${level} ${rule}`;
  });
}

const ruleTexts: readonly (readonly [RegExp, string])[] = [
  [/^Missing annotation|^Expecting annotation/, "annotation"],
  [/dependency of type|^(Package|API|Label|The) |^Invalid (semver|CEL)/, "dependency"],
  [/unsupported media type/, "unsupported-kind"],
  [/error validating object|Object 'Kind'/, "object-metadata"],
  [/invalid service account/, "service-account"],
  [/duplicate CRD/, "crd-twice"],
  [/owned CRD ".*" not found/, "owned-crd-missing"],
  [/not defined in CSV/, "crd-not-owned"],
  [/couldn't parse plural.group/, "owned-crd-name"],
  [/(metadata.name|spec.replaces) ".*" is invalid/, "csv-name"],
  [/annotations not found/, "examples-missing"],
  [/both `alm-examples` and `olm.examples`/, "examples-twice"],
  [/Spec\.Links url/, "hub"],
  [/invalid character|error decoding example/, "examples-invalid"],
  [/example must have a provided API/, "example-without-api"],
  [/provided API should have an example/, "api-without-example"],
  [/install modes not found/, "install-modes-missing"],
  [/none of InstallModeTypes/, "install-modes-unsupported"],
  [/only AllNamespaces InstallModeType/, "install-modes-conversion"],
  [/[mM]inKubeVersion/, "min-kube-version"],
  [/required field missing/, "required-field"],
  [/uses wrong case/, "annotation-case"],
  [/found olm.properties annotation/, "annotation-properties"],
  [/Field (metadata\.name|metadata\.annotations\[api-approved|spec\.)/, "crd"],
  [/csv.Spec.(Provider|Maintainers|Links|Version)/, "hub"],
  [/csv.Spec.Icon/, "hub-icon"],
  [/Annotations.Capabilities/, "capabilities"],
  [/Annotations\["categories"\]/, "categories"],
  [/validator is deprecated/, "deprecated-validator"],
  [/unable to find the resource requests/, "no-requests"],
  [/has an empty description/, "no-description"],
  [/permissions to create CRD/, "creates-crds"],
  [/recommended naming convention/, "csv-name-convention"],
  [/index image file|Upgrade the APIs from|Migrate the APIs for/, "community-index"],
  [/removed in v1.22/, "removed-1.22"],
  [/removed in v1.25/, "removed-1.25"],
  [/removed in v1.26/, "removed-1.26"],
  [/k8s key option/, "k8s-version"],
  [/bundle compressed size/, "bundle-size"],
  [/olm.maxOpenShiftVersion|olm.properties/, "community"],
];
