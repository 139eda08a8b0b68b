import { isSubdomain, subdomainText } from "./dns-names.ts";

// The API server's messages about labels, single ones and in selectors, and about the keys of ConfigMaps.

const qualified = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

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

/**
 * Returns what is wrong with the key of a label or an annotation, in the API server's words: an optional DNS prefix, a
 * slash, a name.
 *
 * @example
 * const topologyKey = configMap.data?.["topology-key"] ?? "kubernetes.io/hostname";
 * for (const problem of labelKeyProblems(topologyKey)) throw new TerminalError(`topology-key: ${problem}`);
 */
export function labelKeyProblems(key: string): string[] {
  const parts = key.split("/");
  if (parts.length > 2) return [keyText];
  const name = parts.at(-1) ?? "";
  const problems = parts.length === 2 ? prefixProblems(parts[0] ?? "") : [];
  if (name === "") problems.push("name part must be non-empty");
  else if (Buffer.byteLength(name) > 63) problems.push("name part must be no more than 63 bytes");
  if (!qualified.test(name)) problems.push(nameText);
  return problems;
}

function prefixProblems(prefix: string): string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  return [
    ...(Buffer.byteLength(prefix) > 253 ? ["prefix part must be no more than 253 bytes"] : []),
    ...(isSubdomain(prefix) ? [] : [`prefix part ${subdomainText}`]),
  ];
}

/**
 * Returns what is wrong with the value of a label, in the API server's words.
 *
 * @example
 * const owner = memcached.metadata.name;
 * const labels = labelValueProblems(owner).length === 0 ? { "example.com/owner": owner } : {};
 */
export function labelValueProblems(value: string): string[] {
  return [
    ...(Buffer.byteLength(value) > 63 ? ["must be no more than 63 bytes"] : []),
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
