import type { Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";

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
