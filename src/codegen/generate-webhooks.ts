import { compareText } from "../apimachinery/compare-text.ts";
import { emitYamlDocuments } from "../apimachinery/yaml/emit.ts";
import type { OutputFile } from "./generate-crds.ts";
import { webhook, webhookConfiguration } from "./markers/package.ts";
import type { ParsedMarker } from "./source/parse-markers.ts";
import type { Report } from "./report.ts";
import { webhookEntry } from "./webhook-entry.ts";

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
