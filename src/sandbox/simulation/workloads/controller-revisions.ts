import { defineKind, type Kind } from "../../../apimachinery/kind.ts";
import type { KubeObject } from "../../../apimachinery/meta.ts";
import type { Client } from "../../../client/client.ts";
import { controllerReference, controllerUid } from "./controlled-pods.ts";
import type { PodTemplate } from "../context/simulated-kinds.ts";
import { templateHash } from "./template-hash.ts";

interface ControllerRevision extends KubeObject {
  data?: object;
  revision: number;
}

const ControllerRevisionKind: Kind<ControllerRevision> = defineKind({
  group: "apps",
  version: "v1",
  kind: "ControllerRevision",
  plural: "controllerrevisions",
});

interface Revised<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly owner: T;
  readonly template: PodTemplate;
  /** Name of the label with the hash of the template. */
  readonly hashLabel: string;
}

/** Creates the revision of a template, or makes it the newest of its owner, and returns its name. */
export async function currentRevision<T extends KubeObject>(
  client: Client,
  { kind, owner, template, hashLabel }: Revised<T>,
): Promise<string> {
  // With kubernetes.io/change-cause among them, which "kubectl rollout history" shows.
  const { namespace, uid, annotations } = owner.metadata;
  const hash = templateHash(template, 0);
  const name = `${owner.metadata.name}-${hash}`;
  const all = (await client.list(ControllerRevisionKind, { namespace })).items.filter(
    (revision) => controllerUid(revision) === uid,
  );
  const newest = Math.max(0, ...all.map(({ revision }) => revision));
  const known = all.find(({ metadata }) => metadata.name === name);
  if (!known) {
    await client.create(ControllerRevisionKind, {
      metadata: {
        name,
        ...(namespace && { namespace }),
        labels: { ...template.metadata?.labels, [hashLabel]: hash },
        ...(annotations && { annotations }),
        ownerReferences: [controllerReference(kind, owner)],
      },
      data: { spec: { template: { ...template, $patch: "replace" } } },
      revision: newest + 1,
    });
  } else if (known.revision < newest) {
    await client.update(ControllerRevisionKind, { ...known, revision: newest + 1 });
  }
  return name;
}
