import { invalid, type FieldError } from "../../apimachinery/schema/field-error.ts";

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const qualified = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an " +
  "alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
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

/** `example.com`. */
export function dnsSubdomainErrors(field: string, value: string): FieldError[] {
  const errors = value.length > 253 ? [invalid(field, value, "must be no more than 253 characters")] : [];
  return isSubdomain(value) ? errors : [...errors, invalid(field, value, subdomainText)];
}

export function isSubdomain(value: string): boolean {
  return subdomain.test(value);
}

/** What can't be a part of a subdomain. */
export function notSubdomain(field: string, value: string): FieldError {
  return invalid(field, value, subdomainText);
}

/** `my-name`. */
export function dnsLabelErrors(field: string, value: string): FieldError[] {
  const errors = value.length > 63 ? [invalid(field, value, "must be no more than 63 characters")] : [];
  return label.test(value) ? errors : [...errors, invalid(field, value, labelText)];
}

/** A label's value. */
export function labelValueErrors(field: string, value: string): FieldError[] {
  return [
    ...(value.length > 63 ? [invalid(field, value, "must be no more than 63 bytes")] : []),
    ...(labelValue.test(value) ? [] : [invalid(field, value, valueText)]),
  ];
}

/** A qualified name: an optional DNS prefix, a slash, a name. */
export function labelKeyErrors(field: string, key: string): FieldError[] {
  const parts = key.split("/");
  const refuse = (why: string): FieldError => invalid(field, key, why);
  if (parts.length > 2) return [refuse(keyText)];
  const name = parts.at(-1) ?? "";
  const errors: FieldError[] = [];
  if (parts.length === 2) {
    const prefix = parts[0] ?? "";
    if (prefix === "") errors.push(refuse("prefix part must be non-empty"));
    else if (!isSubdomain(prefix)) errors.push(refuse(`prefix part ${subdomainText}`));
  }
  if (name === "") errors.push(refuse("name part must be non-empty"));
  else if (name.length > 63) errors.push(refuse("name part must be no more than 63 bytes"));
  if (!qualified.test(name)) errors.push(refuse(nameText));
  return errors;
}

/** Keys and values of labels. */
export function labelsErrors(field: string, labels: Readonly<Record<string, string>> | undefined): FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...labelKeyErrors(field, key),
    ...labelValueErrors(field, value),
  ]);
}
