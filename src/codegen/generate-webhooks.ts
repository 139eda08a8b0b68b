import { compareText } from "../apimachinery/compare-text.ts";
import { emitYamlDocuments } from "../apimachinery/yaml/emit.ts";
import type { OutputFile } from "./generate-crds.ts";
import { webhook, webhookConfiguration } from "./markers/package.ts";
import type { ParsedMarker } from "./source/parse-markers.ts";
import type { Report } from "./report.ts";
import { parseJsonObjectOrUndefined } from "../apimachinery/parse-json-object.ts";
import { isSubdomain } from "../apimachinery/dns-names.ts";
import { applyMergePatch } from "../apimachinery/patch/merge-patch.ts";
import type { Marker } from "./markers/marker.ts";

/** Generates the webhook configurations, or no file if there are no webhook markers. */
export function generateWebhooks(markers: readonly ParsedMarker[], path: string, report: Report): OutputFile[] {
  const documents = [true, false].flatMap((mutating) => {
    const entries = markers
      .filter((parsed) => parsed.marker === webhook && isMutating(parsed) === mutating)
      .flatMap((parsed) => webhookEntry(parsed, report) ?? [])
      .sort((a, b) => compareText(a.name, b.name));
    const name = configurationName(markers, mutating, report);
    return entries.length > 0 ? [configuration(mutating, name, entries)] : [];
  });
  return documents.length > 0 ? [{ path, text: emitYamlDocuments(documents) }] : [];
}

function isMutating({ value }: ParsedMarker): boolean {
  return (value as { mutating: boolean }).mutating;
}

function configurationName(markers: readonly ParsedMarker[], mutating: boolean, report: Report): string {
  const named = markers.filter((parsed) => parsed.marker === webhookConfiguration && isMutating(parsed) === mutating);
  const kind = mutating ? "mutating" : "validating";
  for (const parsed of named.slice(1)) {
    report.error(parsed, "TSOP_WEBHOOK_INVALID", {
      name: "configuration",
      reason: `the ${kind} configuration has two names`,
      advice: "remove one +kubebuilder:webhookconfiguration",
    });
  }
  const value = named[0]?.value as { name?: string } | undefined;
  return value?.name || `${kind}-webhook-configuration`;
}

function configuration(mutating: boolean, name: string, webhooks: readonly object[]): object {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration",
    metadata: { name },
    webhooks,
  };
}

type WebhookArguments = typeof webhook extends Marker<infer V> ? V : never;

/** Returns an entry of a webhook configuration; reports an invalid marker and returns `undefined`. */
function webhookEntry(parsed: ParsedMarker, report: Report): ({ name: string } & Record<string, unknown>) | undefined {
  const given = parsed.value as WebhookArguments;
  const problem = problems(given).find(([wrong]) => wrong);
  if (problem) {
    report.error(parsed, "TSOP_WEBHOOK_INVALID", { name: given.name, reason: problem[1], advice: problem[2] });
    return undefined;
  }
  const entry = {
    admissionReviewVersions: given.admissionReviewVersions,
    clientConfig: clientConfig(given),
    failurePolicy: canonicalSpelling(given.failurePolicy, failurePolicies),
    matchPolicy: given.matchPolicy && canonicalSpelling(given.matchPolicy, matchPolicies),
    name: given.name,
    reinvocationPolicy: given.reinvocationPolicy && canonicalSpelling(given.reinvocationPolicy, reinvocationPolicies),
    rules: [
      {
        apiGroups: given.groups.map((group) => (group === "core" ? "" : group)),
        apiVersions: given.versions,
        operations: given.verbs.map((verb) => verb.toUpperCase()),
        resources: given.resources,
      },
    ],
    sideEffects: canonicalSpelling(given.sideEffects ?? "", sideEffects),
    timeoutSeconds: given.timeoutSeconds || undefined,
  };
  return given.patch ? (applyMergePatch(entry, JSON.parse(given.patch)) as typeof entry) : entry;
}

const matchPolicies = ["Exact", "Equivalent"];
const sideEffects = ["None", "NoneOnDryRun"];
const reinvocationPolicies = ["Never", "IfNeeded"];
const failurePolicies = ["Ignore", "Fail"];
const operations = ["CREATE", "UPDATE", "DELETE", "CONNECT", "*"];
const reviewVersions = ["v1", "v1beta1"];

function problems(given: WebhookArguments): (readonly [boolean, string, string])[] {
  const { path, url, matchPolicy, timeoutSeconds = 0, reinvocationPolicy, webhookVersions = ["v1"] } = given;
  const wrongVerb = given.verbs.find((verb) => !isOneOf(verb, operations));
  return [
    [Boolean(path) === Boolean(url), "it needs either path or url", "set exactly one of the two"],
    [
      !isOneOf(given.sideEffects ?? "", sideEffects),
      `sideEffects is ${given.sideEffects ?? "missing"}`,
      `write sideEffects=${sideEffects.join(" or ")}`,
    ],
    [
      matchPolicy !== undefined && !isOneOf(matchPolicy, matchPolicies),
      `there is no matchPolicy ${matchPolicy}`,
      `write ${matchPolicies.join(" or ")}`,
    ],
    [timeoutSeconds < 0 || timeoutSeconds > 30, `timeoutSeconds is ${timeoutSeconds}`, "write 1 to 30"],
    [
      reinvocationPolicy !== undefined && !isOneOf(reinvocationPolicy, reinvocationPolicies),
      `there is no reinvocationPolicy ${reinvocationPolicy}`,
      `write ${reinvocationPolicies.join(" or ")}`,
    ],
    [
      reinvocationPolicy !== undefined && !given.mutating,
      "only mutating webhooks have a reinvocationPolicy",
      "remove it",
    ],
    [
      given.admissionReviewVersions.length === 0,
      "admissionReviewVersions is empty",
      "write admissionReviewVersions=v1",
    ],
    [
      !given.admissionReviewVersions.some((version) => reviewVersions.includes(version)),
      `there are no admissionReviewVersions ${given.admissionReviewVersions.join(";")}`,
      "write admissionReviewVersions=v1",
    ],
    [
      !isOneOf(given.failurePolicy, failurePolicies),
      `there is no failurePolicy ${given.failurePolicy}`,
      `write ${failurePolicies.join(" or ")}`,
    ],
    [wrongVerb !== undefined, `there is no verb ${wrongVerb}`, "write create, update, delete or connect, or * alone"],
    [
      [given.verbs, given.groups, given.versions].some((list) => list.length > 1 && list.includes("*")),
      "* must be the only one",
      "write * alone",
    ],
    [
      given.name.split(".").length < 3 || !isSubdomain(given.name),
      "its name is not a domain of at least three parts",
      "write lower-case letters, digits and -, and two dots, as in name=vmemcached.kb.io",
    ],
    [
      !isServicePath(path || "/"),
      `its path is ${path}`,
      "begin it with a /, as in /mutate-v1-pod; its parts have lower-case letters, digits, - and dots",
    ],
    [webhookVersions.some((version) => version !== "v1"), "webhookVersions can only be v1", "remove it"],
    [
      given.patch !== undefined && !parseJsonObjectOrUndefined(given.patch),
      "patch is not a JSON object",
      "write patch=`{…}`",
    ],
  ];
}

function clientConfig({ path, url, serviceName, serviceNamespace, servicePort }: WebhookArguments): object {
  if (url) return { url };
  return {
    service: {
      name: serviceName || "webhook-service",
      namespace: serviceNamespace || "system",
      path,
      port: servicePort || undefined,
    },
  };
}

/** Reports whether a server accepts the path of a service's webhook. */
function isServicePath(path: string): boolean {
  const [before, ...parts] = path.replace(/(?<=.)\/$/, "").split("/");
  return before === "" && (path === "/" || parts.every(isSubdomain));
}

function isOneOf(text: string, allowed: readonly string[]): boolean {
  return allowed.some((known) => known.toLowerCase() === text.toLowerCase());
}

/** Returns the API's spelling of a case-insensitive word. */
function canonicalSpelling(text: string, allowed: readonly string[]): string {
  return allowed.find((known) => known.toLowerCase() === text.toLowerCase()) ?? text;
}
