// The API server's messages about labels, single ones and in selectors, and about the keys of ConfigMaps.

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const qualified = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

export const subdomainText: string =
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

export function isSubdomain(value: string): boolean {
  return subdomain.test(value);
}

/** Checks a label's key: an optional DNS prefix, a slash, a name. */
export function labelKeyComplaints(key: string): string[] {
  const parts = key.split("/");
  if (parts.length > 2) return [keyText];
  const name = parts.at(-1) ?? "";
  const complaints = parts.length === 2 ? prefixComplaints(parts[0] ?? "") : [];
  if (name === "") complaints.push("name part must be non-empty");
  else if (name.length > 63) complaints.push("name part must be no more than 63 bytes");
  if (!qualified.test(name)) complaints.push(nameText);
  return complaints;
}

function prefixComplaints(prefix: string): string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  return [
    ...(prefix.length > 253 ? ["prefix part must be no more than 253 bytes"] : []),
    ...(isSubdomain(prefix) ? [] : [`prefix part ${subdomainText}`]),
  ];
}

/** Checks a label's value. */
export function labelValueComplaints(value: string): string[] {
  return [
    ...(value.length > 63 ? ["must be no more than 63 bytes"] : []),
    ...(labelValue.test(value) ? [] : [valueText]),
  ];
}

const configKeyText =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
  "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** Checks a key of a ConfigMap or Secret, which becomes a file name. */
export function configKeyProblems(key: string): string[] {
  const problems = key.length > 253 ? ["must be no more than 253 characters"] : [];
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) problems.push(configKeyText);
  if (key === "." || key === "..") problems.push(`must not be '${key}'`);
  else if (key.startsWith("..")) problems.push("must not start with '..'");
  return problems;
}
