import { type FieldError, invalid } from "../../../apimachinery/field-error.ts";
import { type Fields, childIf, fill, items } from "../../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { listAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { enumOf, fieldRules, maximum, minimum, text, uniqueNames } from "../rules/field-rules.ts";
import { selectorRules } from "../rules/label-selector-errors.ts";
import { dnsSubdomainErrors } from "../rules/name-errors.ts";
import { clientConfig, reviewVersion, reviewVersions } from "../rules/webhook-client-rules.ts";
import { conditionErrors, conditionRules, requestRules } from "./matching.ts";

/** MutatingWebhookConfiguration and ValidatingWebhookConfiguration. */
export const webhookConfiguration: BuiltinKind = {
  requiresVersion: true,
  takesAnyFinalizer: true,
  applyDefaults: defaultWebhookConfiguration,
  generationOf: ({ webhooks }) => webhooks,
  validate: configurationErrors,
  printer: printer("Webhooks:integer|Age", (object) => [listAt(object, "webhooks").length]),
};

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
  const errors = webhookErrors(configuration);
  for (const [index, webhook] of items(configuration, "webhooks").entries())
    errors.push(...(await conditionErrors(webhook, `webhooks[${index}]`, { params: false })));
  return errors;
}

const webhookErrors = fieldRules({
  webhooks: uniqueNames,
  "webhooks[]": {
    name: text(nameErrors),
    "rules[]": requestRules,
    sideEffects: enumOf("None", "NoneOnDryRun"),
    timeoutSeconds: [minimum(1), maximum(30)],
    "(namespaceSelector|objectSelector)": selectorRules,
    clientConfig,
    admissionReviewVersions: reviewVersions,
    "admissionReviewVersions[]": reviewVersion,
    ...conditionRules,
  },
});

function nameErrors(field: string, name: string): FieldError[] {
  const errors = dnsSubdomainErrors(field, name);
  if (errors.length > 0 || name.split(".").length >= 3) return errors;
  return [invalid(field, name, "should be a domain with at least three segments separated by dots")];
}
