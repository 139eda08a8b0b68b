import { type Fields, childIf, fill, items, textOf } from "../../../apimachinery/fields.ts";
import type { Condition, UnstructuredObject } from "../../../apimachinery/meta.ts";
import type { FieldError } from "../../../apimachinery/field-error.ts";
import { crdErrors } from "../../../apimachinery/crd/crd-errors.ts";
import type { CustomResourceDefinition } from "../../../apimachinery/crd/crd-types.ts";
import type { BuiltinKind } from "../builtin-kind.ts";
import { isConditionTrue, listAt, textAt, textsAt } from "../printing/field-access.ts";
import { printer } from "../printing/printer.ts";
import { enumOf, fieldRules, must, refused } from "../rules/field-rules.ts";
import { desiredSpec } from "../rules/immutable.ts";
import { clientConfig, reviewVersion, reviewVersions } from "../rules/webhook-client-rules.ts";

const terminating = {
  type: "Terminating",
  status: "True",
  reason: "InstanceDeletionPending",
  message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
} as const;

/** Finalizer that holds a CRD until its last instance is deleted. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** CustomResourceDefinition. The CRD controller writes the accepted names and the conditions. */
export const customResourceDefinition: BuiltinKind = {
  requiresVersion: true,
  takesAnyFinalizer: true,
  ignoresSchema: true,
  generationOf: desiredSpec,
  applyDefaults: defaultCrd,
  validate: async (crd, old) => [
    ...(await crdErrors(asCrd(crd), old && asCrd(old))),
    ...conversionErrors(childIf(childIf(crd, "spec"), "conversion")),
  ],
  prepareCreate(crd) {
    const first = findStorageVersion(crd);
    crd["status"] = {
      conditions: null,
      acceptedNames: { plural: "", kind: "" },
      storedVersions: first === undefined ? [] : [first],
    };
  },
  prepareUpdate(crd) {
    const status = childIf(crd, "status");
    if (!status) return;
    const stored = new Set((status["storedVersions"] ?? []) as string[]);
    const first = findStorageVersion(crd);
    if (first !== undefined) stored.add(first);
    status["storedVersions"] = [...stored];
  },
  beginDelete(crd, { now }) {
    const { metadata } = crd;
    const status = (crd["status"] ??= {}) as Fields;
    const conditions = (status["conditions"] ?? []) as Condition[];
    status["conditions"] = [...conditions, { ...terminating, lastTransitionTime: now() }];
    if (!metadata.finalizers?.includes(cleanupFinalizer))
      metadata.finalizers = [...(metadata.finalizers ?? []), cleanupFinalizer];
  },
  printer: printer("Scope|Versions|Created At:date|Group*|Kind*|ShortNames*|Established:boolean*", (object) => [
    textAt(object, "spec", "scope"),
    servedVersions(object).join(","),
    textAt(object, "metadata", "creationTimestamp"),
    textAt(object, "spec", "group"),
    textAt(object, "spec", "names", "kind"),
    textsAt(object, "spec", "names", "shortNames").join(","),
    isConditionTrue(object, "Established"),
  ]),
};

/** Returns the names of the served versions, and which one is stored. */
function servedVersions(crd: Fields): string[] {
  const served = listAt(crd, "spec", "versions").filter((version) => version["served"] === true);
  return served.map(({ name, storage }) => `${textOf(name)}${storage === true ? "(storage)" : ""}`).toSorted();
}

/** Returns the first storage version; a CRD with more than one is rejected later. */
function findStorageVersion(crd: UnstructuredObject): string | undefined {
  const version = items(childIf(crd, "spec"), "versions").find(({ storage }) => storage === true);
  return version && String(version["name"]);
}

function asCrd(object: UnstructuredObject): CustomResourceDefinition {
  return object as unknown as CustomResourceDefinition;
}

function defaultCrd(crd: UnstructuredObject): void {
  fill(crd, { spec: {} });
  const spec = childIf(crd, "spec")!;
  fill(spec, { conversion: { strategy: "None" } });
  const service = childIf(childIf(childIf(childIf(spec, "conversion"), "webhook"), "clientConfig"), "service");
  if (service) fill(service, { port: 443 });
  const names = childIf(spec, "names");
  if (!names || typeof names["kind"] !== "string") return;
  // An empty name counts as missing.
  names["singular"] ||= names["kind"].toLowerCase();
  if (names["kind"] !== "") names["listKind"] ||= `${names["kind"]}List`;
}

/** Returns the errors in the conversion of a CRD. The field paths are those of Go's internal type. */
function conversionErrors(conversion: Fields | undefined): FieldError[] {
  const webhook = childIf(conversion, "webhook");
  const config = childIf(webhook, "clientConfig");
  const strategy = conversion?.["strategy"];
  const internal = {
    strategy,
    webhookClientConfig: config,
    conversionReviewVersions: webhook?.["conversionReviewVersions"],
  };
  return (strategy === "Webhook" ? webhookConversion : otherConversion)(internal, "spec.conversion");
}

const webhookConversion = fieldRules({
  webhookClientConfig: clientConfig,
  conversionReviewVersions: reviewVersions,
  "conversionReviewVersions[]": reviewVersion,
});

const ofWebhooks = "should not be set when strategy is not set to Webhook";

const otherConversion = fieldRules({
  strategy: enumOf("None", "Webhook"),
  webhookClientConfig: refused(ofWebhooks),
  conversionReviewVersions: must((versions: string[]) => versions.length === 0, ofWebhooks),
});
