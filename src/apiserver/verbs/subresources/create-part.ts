import { notFound, notImplemented } from "../../refusals.ts";
import { type Answer, keyOf, type Call } from "../request/call.ts";
import { bindPod } from "./bind-pod.ts";
import { evict } from "./evict.ts";
import { issueToken } from "./issue-token.ts";
import { success } from "./admit-created.ts";

/** Handles a POST to a subresource. */
export async function createPart(call: Call): Promise<Answer> {
  if (call.subresource === "binding") return bindPod(call);
  switch (call.subresource ?? "") {
    case "eviction":
      await evict(call);
      return success;
    case "token":
      return issueToken(call);
    default:
      if (!call.collection.get(keyOf(call))) throw notFound(call.entry.resource, call.name);
      throw notImplemented(`${call.entry.resource.plural}/${call.subresource} is not served: no containers run here`);
  }
}
