import { type Fields, childIf, items, textOf } from "../../../apimachinery/fields.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import { type FieldError, duplicate, invalid, required, tooLong } from "../../../apimachinery/field-error.ts";
import { listErrors } from "../rules/list-errors.ts";
import {
  dnsLabelErrors,
  dnsSubdomainErrors,
  driverNameErrors,
  labelKeyErrors,
  labelValueErrors,
} from "../rules/name-errors.ts";
import { wordErrors } from "../rules/value-errors.ts";

/** The most entries of each list of a claim, a class or an allocation. */
export const mostEntries = 32;

/** Returns the errors of the name of a driver, which is not empty. */
export function requiredDriverErrors(driver: unknown, at: string): FieldError[] {
  return driver ? driverNameErrors(at, textOf(driver)) : [required(at)];
}

/** Returns the errors of the name of a pool: subdomains, separated by slashes. */
export function poolNameErrors(pool: unknown, at: string): FieldError[] {
  const name = textOf(pool);
  if (name === "") return [required(at)];
  return [
    ...(name.length > 253 ? [tooLong(at, 253)] : []),
    ...name.split("/").flatMap((part) => dnsSubdomainErrors(at, part)),
  ];
}

/** Returns the errors of expressions that select devices, but for those of the language. */
export function selectorErrors(of: Fields, at: string): FieldError[] {
  return listErrors(items(of, "selectors"), `${at}.selectors`, {
    most: mostEntries,
    itemErrors: ({ cel }, field) => (cel ? [] : [required(`${field}.cel`)]),
  });
}

/** Returns the errors of the parameters of a driver. */
export function configErrors(config: Fields, at: string): FieldError[] {
  const opaque = childIf(config, "opaque");
  if (!opaque) return [required(`${at}.opaque`)];
  return [
    // The schema reports a missing one.
    ...(opaque["driver"] ? driverNameErrors(`${at}.opaque.driver`, textOf(opaque["driver"])) : []),
    ...rawErrors(opaque["parameters"], `${at}.opaque.parameters`),
  ];
}

const longestRaw = 10 * 1024;

/** Checks data that only a driver understands. */
export function rawErrors(data: unknown, at: string): FieldError[] {
  if (data === undefined || data === null) return [];
  if (JSON.stringify(data).length > longestRaw) return [tooLong(at, longestRaw)];
  return isObject(data) ? [] : [invalid(at, "<value omitted>", "must be a valid JSON object")];
}

/** The names of a claim's requests, and those of a request and one of its alternatives. */
export function requestNames(devices: Fields | undefined): ReadonlySet<string> {
  return new Set(
    items(devices, "requests").flatMap((request) => [
      textOf(request["name"]),
      ...items(request, "firstAvailable").map(({ name }) => `${textOf(request["name"])}/${textOf(name)}`),
    ]),
  );
}

/** Returns the errors of a reference to a request. */
export function requestNameErrors(name: string, at: string, known: ReadonlySet<string>): FieldError[] {
  const parts = name.split("/");
  const why = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  return [
    ...(parts.length > 2 ? [] : parts.flatMap((part) => dnsLabelErrors(at, part))),
    ...(known.has(name) ? [] : [invalid(at, name, why)]),
  ];
}

/** Returns the errors of references to requests. */
export function requestListErrors(of: Fields, at: string, known: ReadonlySet<string>): FieldError[] {
  return listErrors((of["requests"] ?? []) as string[], `${at}.requests`, {
    most: mostEntries,
    keyOf: (name) => name,
    itemErrors: (name, field) => requestNameErrors(name, field, known),
  });
}

/** Returns the errors of a name with an optional domain; `isFull` requires one. */
export function qualifiedNameErrors(name: string, at: string, isFull = false): FieldError[] {
  const [domain = "", id = "", ...others] = name.includes("/") ? name.split("/") : [undefined, name];
  return [
    ...(others.length > 0 || !name.includes("/")
      ? []
      : domain === ""
        ? [invalid(at, "", "the domain must not be empty")]
        : driverNameErrors(at, domain)),
    ...(others.length > 0 ? [] : identifierErrors(id, at, name.includes("/"))),
    ...(isFull && !name.includes("/")
      ? [invalid(at, name, "a fully qualified name must be a domain and a name separated by a slash")]
      : []),
  ];
}

const longestIdentifier = 32;
const identifierText =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or " +
  "'_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";

function identifierErrors(id: string, at: string, hasDomain: boolean): FieldError[] {
  if (hasDomain && id === "") return [invalid(at, "", "the name must not be empty")];
  return [
    ...(id.length > longestIdentifier ? [tooLong(at, longestIdentifier)] : []),
    ...(/^[A-Za-z_][A-Za-z0-9_]*$/.test(id) ? [] : [invalid(at, id, identifierText)]),
  ];
}

/** The effects of a taint of a device. */
export const taintEffects: readonly string[] = ["NoExecute", "NoSchedule", "None"];

/** Returns the errors of a toleration of a device's taints. */
export function tolerationErrors(toleration: Fields, at: string): FieldError[] {
  const { key, operator, value = "", effect } = toleration;
  return [
    ...(key ? labelKeyErrors(`${at}.key`, textOf(key)) : []),
    ...wordErrors(`${at}.operator`, operator, ["Equal", "Exists"]),
    ...(operator === "Equal" ? labelValueErrors(`${at}.value`, textOf(value)) : []),
    ...(operator === "Exists" && value !== ""
      ? [invalid(`${at}.value`, value, "must be empty for operator `Exists`")]
      : []),
    ...(effect ? wordErrors(`${at}.effect`, effect, taintEffects) : []),
  ];
}

const mostBindingConditions = 4;

/** Checks the types of the conditions that a claim must have, and must not have, before its pod is bound to a node. */
export function bindingErrors(device: Fields, at: string): FieldError[] {
  const wanted = "bindingConditions";
  const failures = "bindingFailureConditions";
  const typesIn = (name: string): readonly string[] => (device[name] ?? []) as string[];
  const syntaxErrors = (name: string): FieldError[] =>
    listErrors(typesIn(name), `${at}.${name}`, {
      most: mostBindingConditions,
      itemErrors: (type, field) => labelKeyErrors(field, type),
    });
  const repeated = (name: string): FieldError[] =>
    typesIn(name).flatMap((type, index, all) => [
      ...(all.indexOf(type) < index ? [duplicate(`${at}.${name}[${index}]`, type)] : []),
      ...(name === failures && typesIn(wanted).includes(type)
        ? [invalid(`${at}.${name}[${index}]`, type, `${failures} must not overlap with ${wanted}`)]
        : []),
    ]);
  const alone = (name: string, other: string): FieldError[] =>
    typesIn(name).length === 0 && typesIn(other).length > 0
      ? [invalid(`${at}.${name}`, device[name] ?? null, `${name} are required to use ${other}`)]
      : [];
  return [
    ...syntaxErrors(wanted),
    ...syntaxErrors(failures),
    ...repeated(wanted),
    ...repeated(failures),
    ...alone(wanted, failures),
    ...alone(failures, wanted),
  ];
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The lengths of all forms of a UUID: without hyphens, in braces, as a URN. */
const uuidLengths = [32, 36, 38, 45];

/** Returns the errors of the identifier of a device's share. */
export function shareErrors({ shareID }: Fields, at: string): FieldError[] {
  if (shareID === undefined || uuid.test(textOf(shareID))) return [];
  const [field, { length }] = [`${at}.shareID`, textOf(shareID)];
  if (!uuidLengths.includes(length))
    return [invalid(field, shareID, `error validating uid: invalid UUID length: ${length}`)];
  if (!/^(urn:uuid:)?\{?[0-9a-f-]+\}?$/i.test(textOf(shareID)))
    return [invalid(field, shareID, "error validating uid: invalid UUID format")];
  const form = "`xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters";
  return [invalid(field, shareID, `uid must be in RFC 4122 normalized form, ${form}`)];
}
