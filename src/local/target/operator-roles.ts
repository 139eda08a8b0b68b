import { existsSync } from "node:fs";
import { join } from "node:path";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { applyManifests, type ApplyTarget } from "../../client/manifests/apply-manifests.ts";
import { readManifests, type Manifest } from "../../client/manifests/read-manifests.ts";

/** The service account of the operator. */
export interface OperatorAccount {
  readonly namespace: string;
  readonly name: string;
}

/** Returns the account that config/default gives the operator, without the name prefix. */
export function operatorAccount(projectName: string): OperatorAccount {
  return { namespace: `${projectName}-system`, name: "controller-manager" };
}

/** Applies config/rbac in the operator's namespace, as kustomize would. */
export async function installRoles(
  target: Omit<ApplyTarget, "namespace">,
  root: string,
  account: OperatorAccount,
): Promise<void> {
  const { namespace } = account;
  await applyManifests({ ...target, namespace }, await readRoles(root, account));
}

/** Reads the operator's namespace and config/rbac, placed in it. */
export async function readRoles(root: string, { namespace }: OperatorAccount): Promise<Manifest[]> {
  const folder = join(root, "config", "rbac");
  const manifests = existsSync(folder) ? await readManifests(folder) : [];
  const home = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
  const placed = manifests.map(({ file, object }) => ({ file, object: place(object, namespace) }));
  return [{ file: folder, object: home }, ...placed];
}

/** Replaces the namespace `system`, as kustomize does. */
export function place(object: UnstructuredObject, namespace: string): UnstructuredObject {
  const subjects = object["subjects"] as { namespace?: string }[] | undefined;
  const metadata = object.metadata.namespace === "system" ? { ...object.metadata, namespace } : object.metadata;
  return {
    ...object,
    metadata,
    ...(subjects && {
      subjects: subjects.map((subject) => (subject.namespace === "system" ? { ...subject, namespace } : subject)),
    }),
  };
}
