import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";

const configuration = (kind: string, plural: string): Kind<UnstructuredObject> =>
  defineKind({ group: "admissionregistration.k8s.io", version: "v1", kind, plural, scope: "Cluster" });

export const MutatingWebhookConfigurationKind: Kind<UnstructuredObject> = configuration(
  "MutatingWebhookConfiguration",
  "mutatingwebhookconfigurations",
);
export const ValidatingWebhookConfigurationKind: Kind<UnstructuredObject> = configuration(
  "ValidatingWebhookConfiguration",
  "validatingwebhookconfigurations",
);
export const webhookConfigurationKinds: readonly Kind<UnstructuredObject>[] = [
  MutatingWebhookConfigurationKind,
  ValidatingWebhookConfigurationKind,
];
