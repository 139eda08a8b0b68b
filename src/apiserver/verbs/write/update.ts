import { cloneJson } from "../../../apimachinery/clone.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { badRequest } from "../../refusals.ts";
import { type Answer, keyOf, type Call } from "../request/call.ts";
import { checkName } from "../object/prepare-object.ts";
import { createObject } from "./create.ts";
import { partOf } from "../object/part.ts";
import { dropRepeatedOwners } from "../object/repeated-owners.ts";
import { readObject } from "../object/decode-object.ts";
import { writePart } from "./write-part.ts";
import { checkVersionText, foreignUid, requireUid, requireVersion } from "./check-identity.ts";
import { updateObject } from "./update-object.ts";
import { readWriteOptions } from "../request/write-options.ts";

/** Updates an object, or a subresource of it. */
export async function update(call: Call): Promise<Answer> {
  if (call.name === "") throw badRequest("name must be provided");
  const { dryRun } = readWriteOptions(call);
  const sent = readObject(call);
  checkName(call, sent);
  dropRepeatedOwners(sent);
  const part = partOf(call);
  if (!call.collection.get(keyOf(call)) && call.entry.strategy.createsOnUpdate && call.subresource !== "scale")
    return createInstead(call, sent, dryRun);
  const object = await updateObject(call, {
    apply: (live) => {
      requireUid(call, sent, live);
      requireVersion(call, sent);
      return writePart(call, { sent: cloneJson(sent), live, dryRun });
    },
    dryRun,
  });
  return { type: "object", code: 200, body: part.show(object) };
}

/** Creates an object of a kind whose update may create; its version is ignored. */
async function createInstead(call: Call, sent: UnstructuredObject, dryRun: boolean): Promise<Answer> {
  if (sent.metadata.uid) throw foreignUid(call, sent.metadata.uid);
  checkVersionText(sent.metadata.resourceVersion);
  // The storage, which drops the version, is not reached by a dry run.
  if (!dryRun) delete sent.metadata.resourceVersion;
  return { type: "object", code: 201, body: await createObject(call, sent, { dryRun }) };
}
