import type { Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** How the values of Secrets are copied: as they are, as stand-ins of the same length, or not at all. */
export type SecretHandling = "keep" | "hash" | "omit";

/** A resource as a server names it. */
export type Resource = Pick<Kind, "group" | "plural">;

/** An object that was copied, and its resource. */
export interface CopiedObject {
  /** `apps/deployments` */
  readonly resource: string;
  readonly object: UnstructuredObject;
}

/** What is known about a copy, apart from its objects. */
export interface CopyHeader {
  /** The name of the cluster: its server, and the context that leads to it. */
  readonly cluster: string;
  readonly takenAt: string;
  readonly secrets: SecretHandling;
  /** The namespace that was copied, if it is only one. */
  readonly namespace?: string | undefined;
  /** What could not be copied, with the reason: `secrets: forbidden`. */
  readonly missing: readonly string[];
  /** The resources that were read, or that the cluster does not serve. */
  readonly resources: readonly string[];
}

/** What an operator sees of a cluster, at one time. */
export interface ClusterCopy extends CopyHeader {
  readonly objects: readonly CopiedObject[];
  /** Replaces the values of a Secret as the copy does. A file does not keep what is needed for this. */
  readonly hide?: (secret: UnstructuredObject) => UnstructuredObject;
}

/** Returns the name of a resource in messages: `deployments.apps`. */
export function formatResource({ group, plural }: Resource): string {
  return group === "" ? plural : `${plural}.${group}`;
}

/** No API server stores a larger object: etcd refuses requests of more than 1.5 MB. */
const mostMegabytes = 8;
/** Names become keys of the copy and words of the report. */
const accepted = /^(?!\.{1,2}$)[^/\p{Cc}]{1,253}$/u;

/** Refuses an object that no API server stores. */
export function checkCopied(object: UnstructuredObject): void {
  const { kind = "object", metadata } = object;
  const { namespace = "none", name = "" } = metadata;
  const megabytes = Math.round(JSON.stringify(object).length / 1024 / 1024);
  const isNamed = [namespace, name].every((each) => typeof each === "string" && accepted.test(each));
  if (isNamed && megabytes <= mostMegabytes) return;
  const reason = isNamed ? `it has ${megabytes} MB` : "no API server accepts its name or its namespace";
  throw new TsopError("TSOP_PLAN_OBJECT_INVALID", { object: `${kind} ${JSON.stringify(name).slice(0, 300)}`, reason });
}
