import { type Fields, childIf, fill, items, textOf } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { type FieldError, duplicate, invalid, required } from "../../../apimachinery/field-error.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt } from "../printing/field-access.ts";
import { creationAge } from "../printing/human-duration.ts";
import { printer } from "../printing/printer.ts";
import { labelSelectorErrors } from "../rules/label-selector-errors.ts";
import { dnsSubdomainErrors } from "../rules/name-errors.ts";
import { clientConfigErrors, reviewVersionErrors } from "../rules/webhook-client-errors.ts";
import { optionalWordErrors, wordErrors } from "../rules/value-errors.ts";
import { matchConditionErrors, webhookRuleErrors } from "./matching.ts";

/** MutatingWebhookConfiguration and ValidatingWebhookConfiguration. */
export const webhookConfiguration: BuiltinKind = {
  requiresVersion: true,
  takesAnyFinalizer: true,
  applyDefaults: defaultWebhookConfiguration,
  generationOf: ({ webhooks }) => webhooks,
  validate: (configuration) => configurationErrors(configuration),
  printer: printer("Webhooks:integer|Age", (object, now) => [
    listAt(object, "webhooks").length,
    creationAge(object, now),
  ]),
};

/** MutatingWebhookConfiguration and ValidatingWebhookConfiguration. */
function defaultWebhookConfiguration(configuration: Fields): void {
  const mutating = configuration["kind"] === "MutatingWebhookConfiguration";
  for (const webhook of items(configuration, "webhooks")) {
    fill(webhook, {
      failurePolicy: "Fail",
      matchPolicy: "Equivalent",
      namespaceSelector: {},
      objectSelector: {},
      timeoutSeconds: 10,
      ...(mutating && { reinvocationPolicy: "Never" }),
    });
    const service = childIf(childIf(webhook, "clientConfig"), "service");
    if (service) fill(service, { port: 443 });
    for (const rule of items(webhook, "rules")) fill(rule, { scope: "*" });
  }
}

async function configurationErrors(configuration: UnstructuredObject): Promise<FieldError[]> {
  const names = new Set<unknown>();
  const errors: FieldError[] = [];
  for (const [index, webhook] of items(configuration, "webhooks").entries()) {
    const { name } = webhook;
    errors.push(...webhookErrors(webhook, `webhooks[${index}]`));
    errors.push(
      ...(await matchConditionErrors(items(webhook, "matchConditions"), `webhooks[${index}].matchConditions`, {
        params: false,
      })),
    );
    if (name && names.has(name)) errors.push(duplicate(`webhooks[${index}].name`, name));
    names.add(name);
  }
  return errors;
}

function webhookErrors(webhook: Fields, at: string): FieldError[] {
  const { timeoutSeconds } = webhook;
  const isBadTime = typeof timeoutSeconds === "number" && (timeoutSeconds < 1 || timeoutSeconds > 30);
  return [
    ...nameErrors(`${at}.name`, textOf(webhook["name"] ?? "")),
    ...items(webhook, "rules").flatMap((rule, index) => webhookRuleErrors(rule, `${at}.rules[${index}]`)),
    ...optionalWordErrors(`${at}.failurePolicy`, webhook["failurePolicy"], ["Fail", "Ignore"]),
    ...optionalWordErrors(`${at}.matchPolicy`, webhook["matchPolicy"], ["Equivalent", "Exact"]),
    ...optionalWordErrors(`${at}.reinvocationPolicy`, webhook["reinvocationPolicy"], ["IfNeeded", "Never"]),
    ...(typeof webhook["sideEffects"] === "string"
      ? wordErrors(`${at}.sideEffects`, webhook["sideEffects"], ["None", "NoneOnDryRun"])
      : [required(`${at}.sideEffects`, "must specify one of None, NoneOnDryRun")]),
    ...(isBadTime
      ? [invalid(`${at}.timeoutSeconds`, timeoutSeconds, "the timeout value must be between 1 and 30 seconds")]
      : []),
    ...["namespaceSelector", "objectSelector"].flatMap((name) =>
      labelSelectorErrors(childIf(webhook, name), `${at}.${name}`),
    ),
    ...clientConfigErrors(childIf(webhook, "clientConfig") ?? {}, `${at}.clientConfig`),
    ...admissionVersionErrors(webhook, at),
  ];
}

function nameErrors(field: string, name: string): FieldError[] {
  if (name === "") return [required(field)];
  const errors = dnsSubdomainErrors(field, name);
  if (errors.length > 0 || name.split(".").length >= 3) return errors;
  return [invalid(field, name, "should be a domain with at least three segments separated by dots")];
}

function admissionVersionErrors(webhook: Fields, at: string): FieldError[] {
  const field = `${at}.admissionReviewVersions`;
  return reviewVersionErrors(webhook["admissionReviewVersions"], field, "must specify one of v1, v1beta1");
}
