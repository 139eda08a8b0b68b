import { existsSync } from "node:fs";
import { join } from "node:path";
import { readManifests } from "../../client/manifests/read-manifests.ts";

/**
 * Reads the environment of config/manager. Of the variables whose values come from the cluster, it includes only the
 * namespace, if the operator has one.
 */
export async function managerEnvironment(root: string, namespace?: string): Promise<Record<string, string>> {
  const file = join(root, "config", "manager", "manager.yaml");
  if (!existsSync(file)) return {};
  const manifests = await readManifests(file);
  const deployments = manifests.filter(({ object }) => object.kind === "Deployment");
  const containers = deployments.flatMap(
    ({ object }) => (object as unknown as Deployment).spec?.template?.spec?.containers ?? [],
  );
  const variables = containers
    .flatMap(({ env }) => env ?? [])
    .map(({ name, value, valueFrom }) => {
      const isNamespace = valueFrom?.fieldRef?.fieldPath === "metadata.namespace";
      return [name, isNamespace ? namespace : value] as const;
    })
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(variables) as Record<string, string>;
}

interface Deployment {
  readonly spec?: { readonly template?: { readonly spec?: { readonly containers?: readonly Container[] } } };
}

interface Container {
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } };
  }[];
}
