import { forbidden, invalid, required, type FieldError } from "../field-error.ts";
import type { JsonSchema } from "../json-schema.ts";

/** Returns the errors of an API server in the root of a kind's schema. */
export function rootErrors(schema: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.type === undefined) errors.push(required(`${path}.type`, "must not be empty at the root"));
  else if (schema.type !== "object") errors.push(invalid(`${path}.type`, schema.type, "must be object at the root"));
  if (schema.nullable) errors.push(forbidden(`${path}.nullable`, "nullable cannot be true at the root"));
  const embedded = schema["x-kubernetes-embedded-resource"]
    ? embeddedErrors(schema, path)
    : envelopeErrors(schema, path);
  return [...errors, ...embedded, ...metadataErrors(schema, path)];
}

/** Returns the errors of an API server in the schema of an embedded object. */
export function embeddedErrors(schema: JsonSchema, path: string): FieldError[] {
  if (!schema["x-kubernetes-embedded-resource"]) return [];
  const rule = "if x-kubernetes-embedded-resource is true";
  const errors = envelopeErrors(schema, path);
  if (schema.type === undefined) errors.push(required(`${path}.type`, `must be object ${rule}`));
  else if (schema.type !== "object") errors.push(invalid(`${path}.type`, schema.type, `must be object ${rule}`));
  if (!schema.properties && !schema["x-kubernetes-preserve-unknown-fields"])
    errors.push(
      required(`${path}.properties`, `must not be empty ${rule} without x-kubernetes-preserve-unknown-fields`),
    );
  return errors;
}

const envelope = { apiVersion: "string", kind: "string", metadata: "object" };

/** Checks the fields that every object has. */
function envelopeErrors({ properties = {} }: JsonSchema, path: string): FieldError[] {
  return Object.entries(envelope).flatMap(([name, type]) => {
    const found = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
    if (found === undefined || found === type) return [];
    return [invalid(`${path}.properties[${name}].type`, found, `must be ${type}`)];
  });
}

const nameRules = ["name", "generateName"];
const metadataKeys: readonly string[] = ["type", "description", "properties", "default"];

/** Checks the schema of metadata, which may only restrict the name: the server defines the rest. */
function metadataErrors({ properties }: JsonSchema, path: string): FieldError[] {
  const metadata = properties?.["metadata"];
  if (!metadata) return [];
  const at = `${path}.properties[metadata]`;
  const errors: FieldError[] = [];
  const unknown = Object.keys(metadata.properties ?? {}).some((name) => !nameRules.includes(name));
  if (unknown || Object.keys(metadata).some((key) => !metadataKeys.includes(key)))
    errors.push(
      forbidden(at, "must not specify anything other than name and generateName, but metadata is implicitly specified"),
    );
  const defaulted = Object.entries({ "": metadata, ...metadata.properties }).filter(([, node]) => node.default != null);
  for (const [name] of defaulted)
    errors.push(forbidden(`${at}${name && `.properties[${name}]`}.default`, "must not be set in top-level metadata"));
  return errors;
}
