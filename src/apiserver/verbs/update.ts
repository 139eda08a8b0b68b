import { cloneJson } from "../../apimachinery/clone.ts";
import { invalid } from "../refusals.ts";
import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import { isDryRun } from "./dry-run.ts";
import { partOf } from "./part.ts";
import { readObject } from "./read-body.ts";
import { updateObject } from "./update-object.ts";

/** PUT of an object, or of a subresource of it. */
export async function update(call: Call): Promise<Answer> {
  const dryRun = isDryRun(call);
  const sent = readObject(call);
  const { strategy, resource } = call.entry;
  const part = partOf(call);
  if (!sent.metadata.resourceVersion && !strategy.unconditionalUpdate && call.subresource !== "scale")
    throw invalid(resource, call.name, [
      {
        reason: "FieldValueInvalid",
        message: "Invalid value: 0: must be specified for an update",
        field: "metadata.resourceVersion",
      },
    ]);
  const object = await updateObject(call, { apply: (live) => part.write(cloneJson(sent), live), dryRun });
  return { type: "object", code: 200, body: part.show(object) };
}
