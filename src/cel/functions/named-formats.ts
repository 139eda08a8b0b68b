import { formats } from "../../apimachinery/schema/formats.ts";
import type { Run } from "../values/overload.ts";
import { CelOpaque, CelOptional } from "../values/values.ts";

const type = "kubernetes.NamedFormat";

type Validate = (text: string) => string[];

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const label1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const qualified = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const subdomain = `${label}(\\.${label})*`;

const labelText = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${label}')`;
const subdomainText = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomain}')`;
const label1035Text = `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${label1035}')`;
const valueText = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${qualified})?')`;
const nameText = `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${qualified}')`;

const validators: Readonly<Record<string, Validate>> = {
  dns1123Label: rule(label, 63, labelText),
  dns1123Subdomain: rule(subdomain, 253, subdomainText),
  dns1035Label: rule(label1035, 63, label1035Text),
  dns1123LabelPrefix: prefix(rule(label, 63, labelText)),
  dns1123SubdomainPrefix: prefix(rule(subdomain, 253, subdomainText)),
  dns1035LabelPrefix: prefix(rule(label1035, 63, label1035Text)),
  labelValue: rule(`(${qualified})?`, 63, valueText),
  qualifiedName: validateQualifiedName,
  uri: (text) => (formats["uri"]!(text) ? [] : [`parse ${JSON.stringify(text)}: invalid URI for request`]),
  uuid: ofFormat("uuid", "does not match the UUID format"),
  byte: ofFormat("byte", "invalid base64"),
  date: ofFormat("date", "invalid date"),
  datetime: ofFormat("datetime", "invalid datetime"),
};

/** The lengths of the regular expressions by which the API server counts the cost of a format. */
export const patternLengths: Readonly<Record<string, number>> = {
  dns1123Label: 30,
  dns1123Subdomain: 60,
  dns1035Label: 30,
  dns1123LabelPrefix: 30,
  dns1123SubdomainPrefix: 60,
  dns1035LabelPrefix: 30,
  labelValue: 40,
  qualifiedName: 60,
  uri: 1103,
  uuid: 70,
  byte: 84,
  date: 71,
  datetime: 71,
};

/** Kubernetes' format library. `validate` returns the errors, or nothing. */
export const formatFunctions: Readonly<Record<string, Run>> = {
  ...Object.fromEntries(
    Object.keys(validators).map((name): [string, Run] => [
      `format.${name}(): ${type}`,
      () => new CelOpaque(type, name, name),
    ]),
  ),
  [`format.named(string): optional<${type}>`]: (name: string) =>
    Object.hasOwn(validators, name) ? new CelOptional(new CelOpaque(type, name, name)) : CelOptional.none,
  [`${type} -> validate(string): optional<list<string>>`]: (format: CelOpaque, text: string) => {
    const problems = validators[format.key]!(text);
    return problems.length === 0 ? CelOptional.none : new CelOptional(problems);
  },
};

function rule(pattern: string, most: number, problem: string): Validate {
  const expression = new RegExp(`^(?:${pattern})$`);
  return (text) => [
    ...(Buffer.byteLength(text) > most ? [`must be no more than ${most} bytes`] : []),
    ...(expression.test(text) ? [] : [problem]),
  ];
}

/** Validates a prefix, which can end with a dash: a suffix follows. */
function prefix(validate: Validate): Validate {
  return (text) => validate(text.length > 1 ? text.replace(/-$/, "a") : text);
}

function ofFormat(name: string, problem: string): Validate {
  return (text) => (formats[name]!(text) ? [] : [problem]);
}

function validateQualifiedName(text: string): string[] {
  const parts = text.split("/");
  const name = parts.at(-1)!;
  if (parts.length > 2)
    return [
      `a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${qualified}') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const ofPrefix =
    parts.length === 2 ? validators["dns1123Subdomain"]!(parts[0]!).map((problem) => `prefix part ${problem}`) : [];
  if (parts.length === 2 && parts[0] === "") ofPrefix.unshift("prefix part must be non-empty");
  if (name === "") return [...ofPrefix, "name part must be non-empty", nameText];
  return [
    ...ofPrefix,
    ...rule(qualified, 63, nameText)(name).map((problem) => problem.replace(/^must/, "name part must")),
  ];
}
