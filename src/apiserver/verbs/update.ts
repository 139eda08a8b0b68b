import { cloneJson } from "../../apimachinery/clone.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { invalid } from "../refusals.ts";
import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import { isDryRun } from "./dry-run.ts";
import { readObject } from "./read-body.ts";
import { onlyStatus } from "./status-subresource.ts";
import { updateObject } from "./update-object.ts";

/** PUT of an object, or of its status. */
export async function update(call: Call): Promise<Answer> {
  const dryRun = isDryRun(call);
  const sent = readObject(call);
  const { strategy, resource } = call.entry;
  if (!sent.metadata.resourceVersion && !strategy.unconditionalUpdate)
    throw invalid(resource, call.name, [
      {
        reason: "FieldValueInvalid",
        message: "Invalid value: 0: must be specified for an update",
        field: "metadata.resourceVersion",
      },
    ]);
  const apply = (live: UnstructuredObject): UnstructuredObject => {
    const wanted = cloneJson(sent);
    return call.subresource === "status" ? onlyStatus(call, wanted, live) : wanted;
  };
  return { type: "object", code: 200, object: await updateObject(call, { apply, dryRun }) };
}
