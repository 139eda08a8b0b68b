import { repeatedIndexes } from "./value-errors.ts";
import { type Fields, childIf, textOf } from "../../../apimachinery/fields.ts";
import { type FieldError, invalid, required } from "../../../apimachinery/field-error.ts";
import { dns1035Errors } from "./name-errors.ts";

/** Returns the errors in the address of a webhook. */
export function clientConfigErrors(config: Fields, at: string): FieldError[] {
  const url = config["url"];
  const service = childIf(config, "service");
  if ((url === undefined) === (service === undefined))
    return [required(at, "exactly one of url or service is required")];
  return service ? serviceErrors(service, `${at}.service`) : urlErrors(textOf(url), `${at}.url`);
}

function serviceErrors({ name, namespace, path, port }: Fields, at: string): FieldError[] {
  const isBadPort = typeof port === "number" && (port < 1 || port > 65_535);
  return [
    ...(name ? [] : [required(`${at}.name`, "service name is required")]),
    ...(namespace ? [] : [required(`${at}.namespace`, "service namespace is required")]),
    ...(isBadPort ? [invalid(`${at}.port`, port, "port is not valid: must be between 1 and 65535, inclusive")] : []),
    ...(typeof path === "string" && !path.startsWith("/")
      ? [invalid(`${at}.path`, path, "must start with a '/'")]
      : []),
  ];
}

function urlErrors(text: string, field: string): FieldError[] {
  const form = "; desired format: https://host[/path]";
  const noScheme = invalid(field, "", `'https' is the only allowed URL scheme${form}`);
  const noHost = invalid(field, "", `host must be specified${form}`);
  // Go parses a path alone as a URL.
  if (!URL.canParse(text)) return [noScheme, noHost];
  const { protocol, username, hash, search, host } = new URL(text);
  const errors: FieldError[] = [];
  if (protocol !== "https:")
    errors.push(invalid(field, protocol.slice(0, -1), `'https' is the only allowed URL scheme${form}`));
  if (host === "") errors.push(noHost);
  if (username || hash || search)
    errors.push(invalid(field, text, `user, query and fragment are not permitted in the URL${form}`));
  return errors;
}

const known = ["v1", "v1beta1"];

/** Returns the errors in the review versions that a webhook accepts. */
export function reviewVersionErrors(value: unknown, field: string, whenNone = ""): FieldError[] {
  const versions = (value ?? []) as string[];
  if (versions.length === 0) return [required(field, whenNone)];
  const repeated = repeatedIndexes(versions);
  const errors = versions.flatMap((version, index) => [
    ...dns1035Errors(`${field}[${index}]`, version),
    ...(repeated.has(index) ? [invalid(`${field}[${index}]`, version, "duplicate version")] : []),
  ]);
  if (versions.some((version) => known.includes(version))) return errors;
  return [...errors, invalid(field, versions, `must include at least one of ${known.join(", ")}`)];
}
