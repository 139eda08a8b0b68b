import type { Kind } from "../../apimachinery/kind.ts";
import {
  objectKey,
  type Condition,
  type KubeObject,
  type Named,
  type UnstructuredObject,
} from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { poll, type OlmHost } from "./olm-host.ts";

/** An object that is to be deleted. */
export interface Doomed {
  readonly kind: Kind;
  readonly object: Named;
  /** Somebody's own object: it is deleted only if its owner agrees. */
  readonly isCustomResource?: true;
}

/** Names an object for a user. */
export function objectTitle(kind: string | undefined, { metadata: { namespace, name } }: KubeObject): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** Waits until an object is gone; calls `look` with it while it is there. */
export async function awaitGone(
  host: OlmHost,
  { kind, object }: Doomed,
  { deadline, look = async () => {} }: { deadline: number; look?: (found: Named) => Promise<void> },
): Promise<void> {
  const name = objectTitle(kind.kind, object);
  const find = (): Promise<Named | undefined> => host.client.getOrUndefined(kind, objectKey(object));
  await poll(host, deadline, {
    async ask() {
      const found = await find();
      if (!found || found.metadata.uid !== object.metadata.uid) return true;
      host.show?.([{ name, state: describeRemains(found).join("; ") }]);
      await look(found);
      return undefined;
    },
    async explain() {
      const found = await find();
      return new TsopError("TSOP_REMAINS", {
        object: name,
        state: (found ? describeRemains(found) : []).join("\n  "),
      });
    },
  });
  host.emit(`${kind.plural}/${object.metadata.name} deleted`);
}

/** Returns why an object is still there: its finalizers, and the conditions of its deletion. */
function describeRemains(found: KubeObject): string[] {
  const { conditions = [] } = ((found as UnstructuredObject)["status"] ?? {}) as {
    conditions?: readonly (Omit<Condition, "type"> & { readonly type?: string })[];
  };
  const finalizers = found.metadata.finalizers?.join(", ");
  // Conditions of a namespace say which objects are left, and which finalizers these have.
  const reasons = conditions
    .filter(({ type, status }) => isOfDeletion(type) && status === "True")
    .map(({ reason, message }) => `${reason}: ${message}`);
  const states = [...(finalizers ? [`it waits for the finalizers ${finalizers}`] : []), ...reasons];
  return states.length > 0 ? states : ["it waits for its dependents"];
}

/** Reports whether a condition is about the deletion of a namespace or of a CRD. Conditions of a CSV have no type. */
function isOfDeletion(type: string | undefined): boolean {
  return type?.startsWith("Namespace") === true || type === "Terminating";
}
