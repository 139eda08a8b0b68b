import { isAbsolute } from "node:path/posix";
import { collectorFinalizers } from "../../../apimachinery/collector-finalizers.ts";
import {
  dns1035LabelProblems,
  dnsLabelProblems,
  dnsSubdomainProblems,
  isSubdomain,
  subdomainPattern,
  subdomainText,
} from "../../../apimachinery/dns-names.ts";
import { labelKeyProblems, labelValueProblems } from "../../../apimachinery/label-syntax.ts";
import { type FieldError, invalid, tooLong } from "../../../apimachinery/field-error.ts";

const wildcard = new RegExp(`^\\*\\.${subdomainPattern}$`);

/** Checks a DNS-1035 label: `my-name`, which does not start with a digit. */
export function dns1035Errors(field: string, value: string): FieldError[] {
  return dns1035LabelProblems(value).map((problem) => invalid(field, value, problem));
}

/** Checks a wildcard domain: `*.example.com`. */
export function wildcardErrors(field: string, value: string): FieldError[] {
  const isRight = value.length <= 253 && wildcard.test(value);
  return isRight ? [] : [invalid(field, value, "must be '*.' and a DNS subdomain, of 253 characters at most")];
}

/** Checks a port name against the syntax of IANA. */
export function portNameErrors(field: string, value: string): FieldError[] {
  const isRight = /^(?=.{1,15}$)(?=.*[a-z])(?!.*--)(?!-)[-a-z0-9]*[a-z0-9]$/.test(value);
  return isRight
    ? []
    : [invalid(field, value, "must be of at most 15 letters, digits and single hyphens, with a letter")];
}

/** Checks a port number. */
export function portNumberErrors(field: string, value: unknown): FieldError[] {
  if (typeof value !== "number" || (value >= 1 && value <= 65_535)) return [];
  return [invalid(field, value, "must be between 1 and 65535, inclusive")];
}

/** Checks a port, which is a number or a name. */
export function portErrors(value: unknown, field: string): FieldError[] {
  return typeof value === "string" ? portNameErrors(field, value) : portNumberErrors(field, value);
}

/** Checks a DNS subdomain: `example.com`. */
export function dnsSubdomainErrors(field: string, value: string): FieldError[] {
  return dnsSubdomainProblems(value).map((problem) => invalid(field, value, problem));
}

/** Returns the error for a value that is not a subdomain. */
export function notSubdomain(field: string, value: string): FieldError {
  return invalid(field, value, subdomainText);
}

/** Checks the name of a driver for volumes or devices: a DNS subdomain in any case. */
export function driverNameErrors(field: string, value: string): FieldError[] {
  const errors = value.length > 63 ? [tooLong(field, 63)] : [];
  return isSubdomain(value.toLowerCase()) ? errors : [...errors, invalid(field, value, subdomainText)];
}

/** Checks a DNS label: `my-name`. */
export function dnsLabelErrors(field: string, value: string): FieldError[] {
  return dnsLabelProblems(value).map((problem) => invalid(field, value, problem));
}

/** Checks a label value. */
export function labelValueErrors(field: string, value: string): FieldError[] {
  return labelValueProblems(value).map((why) => invalid(field, value, why));
}

/** Checks a qualified name: an optional DNS prefix, a slash, a name. */
export function labelKeyErrors(field: string, key: string): FieldError[] {
  return labelKeyProblems(key).map((why) => invalid(field, key, why));
}

/** Checks the keys and values of labels. */
export function labelsErrors(field: string, labels: Readonly<Record<string, string>> | undefined): FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...labelKeyErrors(field, key),
    ...labelValueErrors(field, value),
  ]);
}

/** Checks a path that begins with a domain: `acme.io/foo`. */
export function domainPathErrors(field: string, value: string): FieldError[] {
  const [domain = "", ...path] = value.split("/");
  if (isSubdomain(domain) && path.length > 0 && /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path.join("/"))) return [];
  return [invalid(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
}

/** Finalizers that need no domain. */
export const standardFinalizers: ReadonlySet<string> = new Set(["kubernetes", ...collectorFinalizers]);

/** Returns the finding about a finalizer of a built-in kind that has no domain. */
export function unqualifiedFinalizerErrors(field: string, name: string): FieldError[] {
  if (name.includes("/") || standardFinalizers.has(name)) return [];
  return [invalid(field, name, "name is neither a standard finalizer name nor is it fully qualified")];
}

/** Checks a path below a folder, which does not leave it. */
export function localPathErrors(field: string, path: string): FieldError[] {
  return isAbsolute(path) ? [invalid(field, path, "must be a relative path")] : backstepErrors(field, path);
}

/** Checks that a path has no `..`. */
export function backstepErrors(field: string, path: string): FieldError[] {
  return path.split("/").includes("..") ? [invalid(field, path, "must not contain '..'")] : [];
}

/** Checks the path of a file that a volume makes: names with two dots at the start are its own. */
export function fileErrors(field: string, path: string): FieldError[] {
  return path.startsWith("..") ? [invalid(field, path, "must not start with '..'")] : localPathErrors(field, path);
}
