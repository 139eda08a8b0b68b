import type { Client } from "../../client/client.ts";
import type { Kind } from "../../apimachinery/kind.ts";
import type { Named } from "../../apimachinery/meta.ts";
import { copiedLabel, type CsvObject } from "../../manifests/olm-kinds.ts";
import { RoleBindingKind, RoleKind } from "./account-rules.ts";
import { ownerLabels, ownerReference } from "./owned-names.ts";

/** Copies the roles and bindings of a CSV into the namespace of its copy, which owns them. */
export async function grantInNamespace(client: Client, csv: CsvObject, copy: Named<CsvObject>): Promise<void> {
  const { namespace: own = "" } = csv.metadata;
  const { namespace = "" } = copy.metadata;
  for (const kind of [RoleKind, RoleBindingKind] as Kind[]) {
    const { items } = await client.list(kind, { namespace: own, labels: ownerLabels(csv) });
    const owned = items.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === csv.metadata.uid));
    for (const { metadata, ...content } of owned) {
      if (await client.getOrUndefined(kind, { namespace, name: metadata.name })) continue;
      const labels = { ...metadata.labels, ...ownerLabels(copy), [copiedLabel]: own };
      const copied = { name: metadata.name, namespace, labels, ownerReferences: [ownerReference(copy)] };
      await client.create(kind, { ...content, metadata: copied });
    }
  }
}
