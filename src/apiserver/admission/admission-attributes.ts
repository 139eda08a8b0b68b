import type { AuditedWebhookCall } from "../audit/audit-event.ts";
import type { ServiceResolver } from "../call-webhook.ts";
import type { MatchCondition } from "../../k8s/admissionregistration/v1.ts";
import type { Program } from "../../apimachinery/cel/compile-rule.ts";
import type { ResourceRegistry } from "../registry/resource-registry.ts";
import type { Store } from "../storage/store.ts";
import type { PolicyProgram } from "./policies/policy-program.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { User } from "../api-server.ts";
import type { ServedResource } from "../registry/served-resource.ts";

/** The parts of the server that admission uses, for one request. */
export interface AdmissionScope {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly resolveService: ServiceResolver;
  readonly programs: AdmissionPrograms;
  /** Texts for `Warning` headers. */
  readonly warnings: string[];
  /** The calls that were made; absent without an audit. */
  readonly webhookCalls: AuditedWebhookCall[] | undefined;
}

/** Compiled expressions of stored objects. Compiling takes longer than most writes. */
export interface AdmissionPrograms {
  readonly conditions: WeakMap<MatchCondition, Program>;
  readonly policies: WeakMap<object, PolicyProgram>;
}

/** A write as admission sees it. */
export interface AdmissionAttributes {
  readonly resource: ServedResource;
  readonly subresource: string | undefined;
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly namespace: string | undefined;
  readonly name: string;
  readonly object: UnstructuredObject | undefined;
  readonly oldObject: UnstructuredObject | undefined;
  readonly dryRun: boolean;
  /** Null for a connection. */
  readonly options: Readonly<Record<string, unknown>> | null;
  readonly user: User;
  /** Other versions of the resource, which may be in another group. */
  readonly equivalents: readonly Equivalent[];
  /** The resource of the request if the write is converted to another version. */
  readonly requested?: ServedResource;
}

/** Another version of the written resource, with the conversions to and from it. */
export interface Equivalent {
  readonly resource: ServedResource;
  to(object: UnstructuredObject): UnstructuredObject | Promise<UnstructuredObject>;
  from(object: UnstructuredObject): UnstructuredObject | Promise<UnstructuredObject>;
}

/** A write in the version that a webhook wants, with the conversion back. */
export interface ShownWrite {
  readonly attributes: AdmissionAttributes;
  readonly equivalent?: Equivalent | undefined;
}

/** Converts a write to another version of its resource. */
export async function inVersion(
  attributes: AdmissionAttributes,
  wanted: ServedResource | undefined,
): Promise<ShownWrite> {
  const { resource, object, oldObject } = attributes;
  const equivalent = attributes.equivalents.find((other) => other.resource === wanted);
  if (!equivalent) return { attributes };
  const shown = {
    resource: equivalent.resource,
    requested: resource,
    object: object && (await equivalent.to(object)),
    oldObject: oldObject && (await equivalent.to(oldObject)),
  };
  return { attributes: { ...attributes, ...shown }, equivalent };
}
