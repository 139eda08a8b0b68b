import { cloneJson } from "../../apimachinery/clone.ts";
import type { LabelSelector } from "../../apimachinery/meta.ts";
import { labelSelectorMatcher } from "../../apimachinery/selectors.ts";
import { ApiError, failure } from "../../apimachinery/status.ts";
import { conflict, notFound, notImplemented } from "../refusals.ts";
import type { Answer } from "./answer.ts";
import { keyOf, type Call } from "./call.ts";
import { deleteObject } from "./delete-object.ts";
import { admitDeletion } from "./delete.ts";
import type { DeleteOptions } from "./delete-options.ts";
import { isDryRun } from "./dry-run.ts";
import { issueToken } from "./issue-token.ts";
import { readRaw } from "./read-body.ts";
import { updateObject } from "./update-object.ts";

/** POST to a subresource: what it does is up to each of them. */
export async function createPart(call: Call): Promise<Answer> {
  if (!call.collection.get(keyOf(call))) throw notFound(call.entry.resource, call.name);
  switch (call.subresource ?? "") {
    case "eviction":
      return evict(call);
    case "binding":
      return bind(call);
    case "token":
      return issueToken(call);
    default:
      throw notImplemented(`${call.entry.resource.plural}/${call.subresource} is not served: no containers run here`);
  }
}

const success: Answer = {
  type: "success",
  code: 201,
  body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" },
};

/** Deletes a pod, unless a disruption budget has nothing left to give. */
async function evict(call: Call): Promise<Answer> {
  const eviction = readRaw(call, "Eviction");
  const options = (eviction["deleteOptions"] ?? {}) as Partial<DeleteOptions>;
  const dryRun = isDryRun(call);
  if (isProtected(call)) throw tooManyDisruptions();
  await admitDeletion(call, keyOf(call), dryRun);
  deleteObject(call, keyOf(call), { ...options, dryRun });
  return success;
}

function isProtected(call: Call): boolean {
  const pod = call.collection.get(keyOf(call));
  const budgets = call.core.store.collection({ group: "policy", plural: "poddisruptionbudgets" });
  for (const [, budget] of budgets.entries(`${call.namespace}/`)) {
    const { selector } = (budget["spec"] ?? {}) as { selector?: LabelSelector };
    const { disruptionsAllowed = 0 } = (budget["status"] ?? {}) as { disruptionsAllowed?: number };
    if (!selector || !labelSelectorMatcher(selector).matches(pod?.metadata.labels ?? {})) continue;
    if (disruptionsAllowed === 0) return true;
  }
  return false;
}

function tooManyDisruptions(): ApiError {
  const message = "Cannot evict pod as it would violate the pod's disruption budget.";
  const causes = [
    { reason: "DisruptionBudget", message: "The disruption budget does not allow another disruption now." },
  ];
  return new ApiError(failure("TooManyRequests", message, { causes }));
}

/** What a scheduler does: gives a pod its node. */
async function bind(call: Call): Promise<Answer> {
  const binding = readRaw(call, "Binding");
  const { name: nodeName } = (binding["target"] ?? {}) as { name?: string };
  await updateObject(call, {
    dryRun: isDryRun(call),
    apply(live) {
      const pod = cloneJson(live);
      const spec = (pod["spec"] ??= {}) as { nodeName?: string | undefined };
      if (spec.nodeName)
        throw conflict(
          call.entry.resource,
          call.name,
          `pod ${call.name} is already assigned to node "${spec.nodeName}"`,
        );
      spec.nodeName = nodeName;
      return pod;
    },
  });
  return success;
}
