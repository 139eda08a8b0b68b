import { defineKind, type Kind } from "../../apimachinery/kind.ts";
import type { KubeObject } from "../../apimachinery/meta.ts";
import { isForbidden, isNotFound } from "../../apimachinery/status.ts";
import type { Reader } from "../../client/client.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** A resource of any version; the core group is absent or empty. */
export interface GroupResource {
  group?: string;
  resource: string;
}

/** A kind that is shared out, with the kinds of the objects that its objects control. */
export interface RingResource extends GroupResource {
  controlledResources?: GroupResource[];
}

/** The object that says which kinds are shared out among the shards of a ring. */
export interface ControllerRing extends KubeObject {
  spec?: { resources?: RingResource[] };
}

export const ControllerRing: Kind<ControllerRing> = defineKind<ControllerRing>({
  group: "sharding.timebertt.dev",
  version: "v1alpha1",
  kind: "ControllerRing",
  plural: "controllerrings",
  scope: "Cluster",
});

/** Reads the resources of a ring. */
export async function readRing(reader: Reader, name: string): Promise<readonly RingResource[]> {
  try {
    return (await reader.get(ControllerRing, { name })).spec?.resources ?? [];
  } catch (error) {
    if (isNotFound(error)) throw new TsopError("TSOP_RING_MISSING", { name }, { cause: error });
    if (isForbidden(error)) throw new TsopError("TSOP_RING_FORBIDDEN", { name }, { cause: error });
    throw error;
  }
}
