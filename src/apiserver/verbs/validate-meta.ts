import { equalJson } from "../../apimachinery/equal.ts";
import type { ObjectMeta, UnstructuredObject } from "../../apimachinery/meta.ts";
import type { Strategy } from "../registry/strategy.ts";
import type { Call } from "./call.ts";
import type { StatusCause } from "../../apimachinery/status.ts";

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const qualifiedName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const nameText =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
  "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const keyText =
  "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
  "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";

const largestAnnotations = 256 * 1024;

/** What is wrong with an object's metadata, in the server's words. */
export function metaErrors(call: Call, object: UnstructuredObject, old: UnstructuredObject | undefined): StatusCause[] {
  const { metadata } = object;
  const { custom } = call.entry.resource;
  const changes = old ? changeErrors(metadata, old.metadata) : [];
  return [
    ...nameErrors(metadata, call.entry.strategy.nameRule),
    ...labelErrors(metadata.labels),
    ...annotationErrors(metadata.annotations),
    ...ownerErrors(metadata),
    ...finalizerErrors(metadata),
    ...(custom ? [] : unqualifiedFinalizers(metadata)),
    // A real server checks changes twice, and says so.
    ...changes,
    ...changes,
  ];
}

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an " +
  "alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

function nameErrors({ name = "", generateName }: ObjectMeta, rule?: Strategy["nameRule"]): StatusCause[] {
  if (rule === "path") return /[/%]/.test(name) ? [invalidValue("metadata.name", name, "may not contain '/'")] : [];
  if (rule === "label" && !dnsLabel.test(name)) return [invalidValue("metadata.name", name, labelText)];
  const errors: StatusCause[] = [];
  if (generateName !== undefined && !subdomain.test(`${generateName.replace(/[-.]$/, "")}a`))
    errors.push(invalidValue("metadata.generateName", generateName, subdomainText));
  if (name.length > 253) errors.push(invalidValue("metadata.name", name, "must be no more than 253 characters"));
  if (!subdomain.test(name)) errors.push(invalidValue("metadata.name", name, subdomainText));
  return errors;
}

function labelErrors(labels: Record<string, string> | undefined): StatusCause[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...keyErrors("metadata.labels", key),
    ...(value.length > 63 ? [invalidValue("metadata.labels", value, "must be no more than 63 bytes")] : []),
    ...(labelValue.test(value) ? [] : [invalidValue("metadata.labels", value, valueText)]),
  ]);
}

function annotationErrors(annotations: Record<string, string> | undefined): StatusCause[] {
  const entries = Object.entries(annotations ?? {});
  const size = entries.reduce((sum, [key, value]) => sum + key.length + Buffer.byteLength(value), 0);
  const errors = entries.flatMap(([key]) => keyErrors("metadata.annotations", key.toLowerCase()));
  if (size <= largestAnnotations) return errors;
  const message = `Too long: may not be more than ${largestAnnotations} bytes`;
  return [...errors, { reason: "FieldValueTooLong", message, field: "metadata.annotations" }];
}

/** A qualified name: an optional DNS prefix, a slash, a name. */
function keyErrors(field: string, key: string): StatusCause[] {
  const parts = key.split("/");
  const refuse = (why: string): StatusCause => invalidValue(field, key, why);
  if (parts.length > 2) return [refuse(keyText)];
  const name = parts.at(-1) ?? "";
  const errors: StatusCause[] = [];
  if (parts.length === 2) {
    const prefix = parts[0] ?? "";
    if (prefix === "") errors.push(refuse("prefix part must be non-empty"));
    else if (!subdomain.test(prefix)) errors.push(refuse(`prefix part ${subdomainText}`));
  }
  if (name === "") errors.push(refuse("name part must be non-empty"));
  else if (name.length > 63) errors.push(refuse("name part must be no more than 63 bytes"));
  if (!qualifiedName.test(name)) errors.push(refuse(nameText));
  return errors;
}

function ownerErrors({ ownerReferences = [] }: ObjectMeta): StatusCause[] {
  const errors = ownerReferences.flatMap((owner) =>
    (["apiVersion", "kind", "name", "uid"] as const)
      .filter((name) => !owner[name])
      .map((name) => {
        const field = `metadata.ownerReferences.${name}`;
        if (name === "apiVersion") return invalidValue(field, "", "version must not be empty");
        return invalidValue(field, "", `must not be empty`);
      }),
  );
  const controllers = ownerReferences.filter((owner) => owner.controller === true);
  if (controllers.length > 1) {
    const [first, second] = controllers.map(({ kind, name }) => `${kind}/${name}`);
    errors.push({
      reason: "FieldValueInvalid",
      message: `Invalid value: ${JSON.stringify(ownerReferences)}: Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`,
      field: "metadata.ownerReferences",
    });
  }
  return errors;
}

function finalizerErrors({ finalizers = [] }: ObjectMeta): StatusCause[] {
  return finalizers.flatMap((name) => keyErrors("metadata.finalizers", name));
}

const standardFinalizers = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

function unqualifiedFinalizers({ finalizers = [] }: ObjectMeta): StatusCause[] {
  const why = "name is neither a standard finalizer name nor is it fully qualified";
  return finalizers.flatMap((name, index) =>
    name.includes("/") || standardFinalizers.has(name)
      ? []
      : [invalidValue(`metadata.finalizers[${index}]`, name, why)],
  );
}

function changeErrors(metadata: ObjectMeta, old: ObjectMeta): StatusCause[] {
  const fixed = ["uid", "deletionTimestamp", "deletionGracePeriodSeconds"] as const;
  const changed = fixed.filter((field) => !equalJson(metadata[field], old[field]));
  const errors = changed.map((field) =>
    invalidValue(`metadata.${field}`, metadata[field] ?? null, "field is immutable"),
  );
  if (!old.deletionTimestamp) return errors;
  const added = (metadata.finalizers ?? []).filter((name) => !old.finalizers?.includes(name));
  if (added.length === 0) return errors;
  const list = `[]string{${added.map((name) => JSON.stringify(name)).join(", ")}}`;
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
  return [...errors, { reason: "FieldValueForbidden", message, field: "metadata.finalizers" }];
}

function invalidValue(field: string, value: unknown, why: string): StatusCause {
  return { reason: "FieldValueInvalid", message: `Invalid value: ${JSON.stringify(value)}: ${why}`, field };
}
