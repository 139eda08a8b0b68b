import { cloneJson } from "../../apimachinery/clone.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { invalid } from "../refusals.ts";
import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import { checkName } from "./check-name.ts";
import { partOf } from "./part.ts";
import { readObject } from "./read-body.ts";
import { updateObject } from "./update-object.ts";
import { readWriteOptions } from "./write-options.ts";

/** PUT of an object, or of a subresource of it. */
export async function update(call: Call): Promise<Answer> {
  const { dryRun } = readWriteOptions(call);
  const sent = readObject(call);
  checkName(call, sent);
  const part = partOf(call);
  const object = await updateObject(call, {
    apply: (live) => {
      requireVersion(call, sent);
      return part.write(cloneJson(sent), live);
    },
    dryRun,
  });
  return { type: "object", code: 200, body: part.show(object) };
}

/** Custom resources, and the built-in kinds that elections rely on, are never overwritten blindly. */
function requireVersion({ entry, name, subresource }: Call, sent: UnstructuredObject): void {
  if (sent.metadata.resourceVersion || entry.strategy.unconditionalUpdate || subresource === "scale") return;
  const { group, plural } = entry.resource;
  const message = "Invalid value: 0: must be specified for an update";
  const cause = { reason: "FieldValueInvalid", message, field: "metadata.resourceVersion" };
  throw invalid({ group, kind: plural }, name, [cause]);
}
