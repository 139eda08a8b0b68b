import type { CsvObject } from "../../manifests/olm-kinds.ts";

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
}

/** OLM looks for the names of the kinds, although rules name resources. */
const configurations = ["*", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

/** Returns why OLM refuses the webhooks of a CSV: two have one name, or one could lock OLM out. */
export function invalidWebhooks({ spec }: CsvObject): string | undefined {
  const names = new Set<string>();
  for (const { generateName, rules = [] } of spec.webhookdefinitions ?? []) {
    if (names.has(generateName)) return "CSV contains repeated WebhookDescription name";
    names.add(generateName);
    const problem = (rules as Rule[]).map(lockOut).find((each) => each !== undefined);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function lockOut({ apiGroups = [], resources = [] }: Rule): string | undefined {
  if (apiGroups.includes("*")) return "webhook rules cannot include all groups";
  if (apiGroups.includes("operators.coreos.com")) return "webhook rules cannot include the OLM group";
  return apiGroups.includes("admissionregistration.k8s.io") && resources.some((each) => configurations.includes(each))
    ? "webhook rules cannot include MutatingWebhookConfiguration or ValidatingWebhookConfiguration resources"
    : undefined;
}
