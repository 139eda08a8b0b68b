import { checkDns1035Label } from "../apimachinery/names.ts";
import { isObject } from "../apimachinery/is-object.ts";
import { findYamlScalar } from "../apimachinery/yaml/parse.ts";
import { catalogue, fillTemplate } from "../errors/catalogue.ts";
import { DiagnosticsError, sortDiagnostics, type Diagnostic } from "../errors/diagnostic.ts";
import {
  checkAnyKind,
  checkAnyVersion,
  checkGroupPart,
  checkModulePath,
  checkPackageSpec,
  checkProjectName,
  checkWebhookPath,
} from "./value-rules.ts";

type Rule = (value: string) => string | undefined;
type Fields = Readonly<Record<string, unknown>>;

const projectRules: Readonly<Record<string, Rule>> = {
  projectName: checkProjectName,
  domain: checkGroupPart,
  repo: () => undefined,
};
const resourceRules: Readonly<Record<string, Rule>> = {
  group: checkGroupPart,
  domain: checkGroupPart,
  version: checkAnyVersion,
  kind: checkAnyKind,
  plural: checkDns1035Label,
  module: checkPackageSpec,
};
const webhookRules: Readonly<Record<string, Rule>> = {
  defaultingPath: checkWebhookPath,
  validationPath: checkWebhookPath,
};

/**
 * Checks the values of PROJECT that become parts of paths and of source text: the file may come from anywhere, and its
 * commands must not leave the project. Throws a DiagnosticsError with all findings.
 */
export function checkValues(project: Fields, { text, file }: { readonly text: string; readonly file: string }): void {
  const findings: Diagnostic[] = [];
  /** The place is that of the value, or of the field if it has another type. */
  const refuse = (
    field: string,
    value: unknown,
    rule: string,
    at: unknown = field.match(/\w+(?=(\[\d+\])?$)/)?.[0],
  ): void => {
    const { message, hint } = catalogue.TSOP_PROJECT_VALUE;
    const facts = { field, value: JSON.stringify(value), rule };
    const place = findYamlScalar(text, at);
    findings.push({
      severity: "error",
      code: "TSOP_PROJECT_VALUE",
      file,
      ...place,
      message: fillTemplate(message, facts),
      hint: fillTemplate(hint, facts),
    });
  };
  const check = (path: string, value: unknown, rule: Rule): void => {
    if (value === undefined || value === null) return;
    if (typeof value !== "string") return refuse(path, value, "a text");
    const broken = rule(value);
    if (broken) refuse(path, value, broken, value);
  };
  const checkAll = (path: string, values: Fields, rules: Readonly<Record<string, Rule>>): void => {
    for (const [name, rule] of Object.entries(rules)) check(path + name, values[name], rule);
  };
  const fieldsOf = (path: string, value: unknown): Fields => {
    if (value !== undefined && value !== null && !isObject(value)) refuse(path, value, "a map");
    return isObject(value) ? value : {};
  };
  const listOf = (path: string, value: unknown): readonly unknown[] => {
    if (value !== undefined && value !== null && !Array.isArray(value)) refuse(path, value, "a list");
    return Array.isArray(value) ? value : [];
  };

  checkAll("", project, projectRules);
  for (const [index, each] of listOf("resources", project["resources"]).entries()) {
    const at = `resources[${index}]`;
    const resource = fieldsOf(at, each);
    checkAll(`${at}.`, resource, resourceRules);
    // The path of a kind of the project is only a note.
    if (resource["external"] === true) check(`${at}.path`, resource["path"], checkModulePath);
    fieldsOf(`${at}.api`, resource["api"]);
    const webhooks = fieldsOf(`${at}.webhooks`, resource["webhooks"]);
    checkAll(`${at}.webhooks.`, webhooks, webhookRules);
    for (const version of listOf(`${at}.webhooks.spoke`, webhooks["spoke"]))
      check(`${at}.webhooks.spoke`, version, checkAnyVersion);
    for (const controller of listOf(`${at}.controllers`, resource["controllers"]))
      check(`${at}.controllers`, fieldsOf(`${at}.controllers`, controller)["name"] ?? {}, checkDns1035Label);
  }
  fieldsOf("plugins", project["plugins"]);
  if (findings.length > 0) throw new DiagnosticsError(sortDiagnostics(findings));
}
