import { dns1035LabelProblems, dnsLabelProblems, dnsSubdomainProblems } from "../../dns-names.ts";
import { labelKeyProblems, labelValueProblems } from "../../label-syntax.ts";
import { formats } from "../../schema/formats.ts";
import type { Run } from "../values/overload.ts";
import { CelOpaque, CelOptional } from "../values/values.ts";

const type = "kubernetes.NamedFormat";

type Validate = (text: string) => string[];

const validators: Readonly<Record<string, Validate>> = {
  dns1123Label: dnsLabelProblems,
  dns1123Subdomain: dnsSubdomainProblems,
  dns1035Label: dns1035LabelProblems,
  dns1123LabelPrefix: prefix(dnsLabelProblems),
  dns1123SubdomainPrefix: prefix(dnsSubdomainProblems),
  dns1035LabelPrefix: prefix(dns1035LabelProblems),
  labelValue: labelValueProblems,
  qualifiedName: labelKeyProblems,
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

/** Validates a prefix, which can end with a dash: a suffix follows. */
function prefix(validate: Validate): Validate {
  return (text) => validate(text.length > 1 && text.endsWith("-") ? `${text.slice(0, -2)}a` : text);
}

function ofFormat(name: string, problem: string): Validate {
  return (text) => (formats[name]!(text) ? [] : [problem]);
}
