import { childIf, items, textOf } from "../../apimachinery/fields.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { forbidden } from "../refusals.ts";
import { storageKey, type Store } from "../storage/store.ts";

const accounts = { group: "", plural: "serviceaccounts" };

/**
 * Gives a new pod its service account, and the pull secrets of the account if it lists none. Refuses a pod whose
 * account does not exist; only `default` may come later, as its controller makes it with the namespace. `sentName` is
 * the name in the request, or its beginning. Mounts no token: nothing in the pod would read it.
 */
export function giveAccount(store: Store, pod: UnstructuredObject, sentName: string | undefined): void {
  const spec = childIf(pod, "spec");
  if (!spec) return;
  const { namespace = "" } = pod.metadata;
  const name = textOf(spec["serviceAccountName"]) || "default";
  const account = store.collection(accounts).get(storageKey(namespace, name));
  if (!account && name !== "default") {
    const why = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
    throw forbidden({ group: "", plural: "pods" }, sentName ?? "", why);
  }
  spec["serviceAccountName"] = name;
  spec["serviceAccount"] = name;
  const secrets = items(account, "imagePullSecrets");
  if (secrets.length > 0 && items(spec, "imagePullSecrets").length === 0)
    spec["imagePullSecrets"] = secrets.map((secret) => ({ name: secret["name"] }));
}
