import { childIf } from "../../../apimachinery/fields.ts";
import { roundUpQuantity } from "../../../apimachinery/quantity.ts";
import { maxResources, parseResources, type ResourceList } from "../../../apimachinery/resource-list.ts";
import type { ServedResource } from "../../registry/served-resource.ts";
import { podEvaluator } from "./pod-evaluator.ts";
import { countName, one, type QuotaEvaluator } from "./quota-evaluator.ts";

type Resource = Pick<ServedResource, "group" | "plural">;

/** Returns the evaluator of a resource. */
export function evaluatorOf({ group, plural }: Resource): QuotaEvaluator {
  if (group === "" && plural === "pods") return podEvaluator;
  const names = [countName(group, plural), ...(group === "" && plain.includes(plural) ? [plural] : [])];
  return group === "" && plural === "persistentvolumeclaims" ? claimEvaluator(names) : objectCount(names);
}

/** Core resources that a quota also counts by their plural. */
const plain: readonly string[] = [
  "configmaps",
  "persistentvolumeclaims",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "services",
];

/** Returns the evaluator of a resource of which only the objects count. */
function objectCount(names: readonly string[]): QuotaEvaluator {
  return {
    handles: ({ operation, subresource }) => operation === "CREATE" && subresource === undefined,
    tracks: (name) => names.includes(name),
    usageOf: () => new Map(names.map((name) => [name, one])),
  };
}

const storage = "requests.storage";

/** Returns the evaluator of claims and the storage that they ask for, or that they got already if that is more. */
function claimEvaluator(names: readonly string[]): QuotaEvaluator {
  return {
    handles: ({ operation, subresource }) =>
      operation !== "DELETE" && (subresource === undefined || subresource === "status"),
    tracks: (name) => names.includes(name) || name === storage,
    usageOf(claim) {
      const asked = storageIn(childIf(childIf(claim, "spec"), "resources"), "requests");
      const amount = maxResources(asked, storageIn(childIf(claim, "status"), "allocatedResources")).get("storage");
      const ofStorage = asked.size > 0 && amount ? [[storage, roundUpQuantity(amount)] as const] : [];
      return new Map([...names.map((name) => [name, one] as const), ...ofStorage]);
    },
  };
}

function storageIn(fields: ReturnType<typeof childIf>, name: string): ResourceList {
  const amount = parseResources(childIf(fields, name)).get("storage");
  return new Map(amount ? [["storage", amount]] : []);
}

/** Reports whether quotas ignore a resource. */
export function isBeyondQuotas({ group, plural }: Resource): boolean {
  if (plural === "events") return group === "" || group === "events.k8s.io";
  return (
    group === "authorization.k8s.io" || group === "authentication.k8s.io" || (group === "" && plural === "bindings")
  );
}
