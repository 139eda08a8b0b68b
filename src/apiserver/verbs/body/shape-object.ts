import { builtinSchema } from "../../../apimachinery/builtin/builtin-schema.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { applyDefaults } from "../../../apimachinery/schema/apply-defaults.ts";
import { apiVersionOf } from "../../../apimachinery/kind.ts";
import { messageOf } from "../../codec/protobuf/message-fields.ts";
import { tidyMessage } from "../../codec/protobuf/tidy-message.ts";
import { pruneUnknown } from "../../../apimachinery/schema/prune.ts";
import type { Call } from "../call/call.ts";
import { reportFields } from "../options/field-validation.ts";

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/** Drops what the kind's schema does not declare and tells the client as it wishes. `found` was found before. */
export function pruneObject(
  call: Call,
  object: UnstructuredObject,
  found: readonly string[] = [],
  refuse?: (why: string) => Error,
): void {
  const unknown: string[] = [];
  const { resource } = call.entry;
  const schema = resource.schema();
  pruneUnknown(builtinSchema(objectMeta)!, object.metadata, (path) => unknown.push(`unknown field "metadata.${path}"`));
  if (schema) pruneUnknown(schema, object, (path) => unknown.push(`unknown field "${path}"`));
  reportFields(call, object, [...found, ...unknown.sort()], refuse);
}

/** Sets the defaults of the schema, then those of the kind. Built-in kinds are Go structs before that. */
export function defaultObject(call: Call, object: UnstructuredObject): void {
  const { resource, strategy } = call.entry;
  const schema = resource.schema();
  if (!resource.custom) tidyMessage(messageOf(apiVersionOf(resource), resource.kind), object);
  if (schema) applyDefaults(schema, object);
  strategy.applyDefaults?.(object);
}
