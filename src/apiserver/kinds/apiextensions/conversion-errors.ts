import { type Fields, childIf } from "../../../apimachinery/fields.ts";
import { type FieldError, forbidden, required } from "../../../apimachinery/schema/field-error.ts";
import { clientConfigErrors, reviewVersionErrors } from "../rules/webhook-client-errors.ts";
import { optionalWordErrors } from "../rules/value-errors.ts";

const field = "spec.conversion";
const strategies = ["None", "Webhook"];

/** Returns the errors in the conversion of a CRD. The field paths are those of Go's internal type. */
export function conversionErrors(conversion: Fields | undefined): FieldError[] {
  const strategy = conversion?.["strategy"];
  const webhook = childIf(conversion, "webhook");
  const config = childIf(webhook, "clientConfig");
  const versions = webhook?.["conversionReviewVersions"];
  if (strategy === "Webhook")
    return [
      ...(config
        ? clientConfigErrors(config, `${field}.webhookClientConfig`).map(inShort)
        : [required(`${field}.webhookClientConfig`, "required when strategy is set to Webhook")]),
      ...reviewVersionErrors(versions, `${field}.conversionReviewVersions`),
    ];
  const misplaced = "should not be set when strategy is not set to Webhook";
  return [
    ...optionalWordErrors(`${field}.strategy`, strategy, strategies),
    ...(config ? [forbidden(`${field}.webhookClientConfig`, misplaced)] : []),
    ...(Array.isArray(versions) && versions.length > 0
      ? [forbidden(`${field}.conversionReviewVersions`, misplaced)]
      : []),
  ];
}

/** Drops the detail of a missing field of a service, as a real server does here. */
function inShort(error: FieldError): FieldError {
  return error.reason === "FieldValueRequired" && error.field.includes(".service.") ? required(error.field) : error;
}
