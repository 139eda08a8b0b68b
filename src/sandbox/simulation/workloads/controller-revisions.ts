import { defineKind, type Kind } from "../../../apimachinery/kind.ts";
import type { KubeObject, LabelSelector } from "../../../apimachinery/meta.ts";
import { sortMembers } from "../../../apimachinery/sort-members.ts";
import type { Client } from "../../../client/client.ts";
import { ignoreNotFound } from "../../../client/ignore-not-found.ts";
import { claimObjects, controllerReference } from "./controlled-pods.ts";
import type { PodTemplate } from "../context/simulated-kinds.ts";
import { createHash } from "node:crypto";
import { equalJson } from "../../../apimachinery/equal.ts";

interface Snapshot {
  spec: { template: PodTemplate & { $patch?: string } };
}

interface ControllerRevision extends KubeObject {
  data?: Snapshot;
  revision: number;
}

const ControllerRevisionKind: Kind<ControllerRevision> = defineKind({
  group: "apps",
  version: "v1",
  kind: "ControllerRevision",
  plural: "controllerrevisions",
});

interface Owner extends KubeObject {
  spec: { selector: LabelSelector };
}

interface Revised<T extends Owner> {
  readonly kind: Kind<T>;
  readonly owner: T;
  readonly template: PodTemplate;
  /** Name of the label with the hash of the template. */
  readonly hashLabel: string;
}

/** The revisions of an owner. */
export interface History {
  /** Name of the revision of the current template. */
  readonly current: string;
  readonly revisions: readonly ControllerRevision[];
}

/** Creates the revision of a template, or makes it the newest of its owner, and returns all of them. */
export async function keepHistory<T extends Owner>(
  client: Client,
  { kind, owner, template, hashLabel }: Revised<T>,
): Promise<History> {
  // With kubernetes.io/change-cause among them, which "kubectl rollout history" shows.
  const { namespace, annotations } = owner.metadata;
  const hash = templateHash(template, 0);
  const current = `${owner.metadata.name}-${hash}`;
  const { items } = await client.list(ControllerRevisionKind, { namespace });
  const { selector } = owner.spec;
  const revisions = await claimObjects(client, { kind, owner, selector }, { kind: ControllerRevisionKind, items });
  const newest = Math.max(0, ...revisions.map(({ revision }) => revision));
  const known = revisions.find(({ metadata }) => metadata.name === current);
  // A deletion that orphans the objects of the owner may have taken the revision from it: it still exists.
  if (!known && owner.metadata.deletionTimestamp) return { current, revisions };
  if (!known) {
    await client.create(ControllerRevisionKind, {
      metadata: {
        name: current,
        ...(namespace && { namespace }),
        labels: { ...template.metadata?.labels, [hashLabel]: hash },
        ...(annotations && { annotations }),
        ownerReferences: [controllerReference(kind, owner)],
      },
      // Clients compare its bytes with the template's, whose members Go sorts.
      data: sortMembers({ spec: { template: { ...template, $patch: "replace" } } }) as Snapshot,
      revision: newest + 1,
    });
  } else if (known.revision < newest) {
    await client.update(ControllerRevisionKind, { ...known, revision: newest + 1 });
  }
  return { current, revisions };
}

/** Returns the template of a revision; undefined if it is not among those that were read. */
export function templateAt({ revisions }: History, name: string): PodTemplate | undefined {
  const found = revisions.find(({ metadata }) => metadata.name === name);
  if (!found?.data) return undefined;
  const { $patch: _patch, ...template } = found.data.spec.template;
  return template;
}

/** Deletes the oldest revisions beyond the limit, except for the current one and those that pods have. */
export async function cutHistory(
  client: Client,
  { current, revisions }: History,
  { live, limit = 10 }: { readonly live: readonly (string | undefined)[]; readonly limit?: number | undefined },
): Promise<void> {
  const old = revisions
    .filter(({ metadata: { name = "" } }) => name !== current && !live.includes(name))
    .toSorted((a, b) => a.revision - b.revision);
  for (const { metadata } of old.slice(0, Math.max(0, old.length - limit))) {
    const { namespace, name = "" } = metadata;
    await client.delete(ControllerRevisionKind, { namespace, name }).catch(ignoreNotFound);
  }
}

/** Returns the name suffix of a pod template: ten characters that form no words. */
export function templateHash(template: object, collisions: number): string {
  const digest = createHash("sha256")
    .update(JSON.stringify(sortMembers(template)))
    .update(String(collisions))
    .digest();
  return Array.from(digest.subarray(0, 10), (byte) => alphabet[byte % alphabet.length]).join("");
}

/** Reports whether two pod templates are the same except for the hash label that the deployment adds. */
export function sameTemplate(a: PodTemplate, b: PodTemplate): boolean {
  return equalJson(withoutHash(a), withoutHash(b));
}

const alphabet = "bcdfghjklmnpqrstvwxz2456789";

function withoutHash(template: PodTemplate): PodTemplate {
  const { "pod-template-hash": _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}
