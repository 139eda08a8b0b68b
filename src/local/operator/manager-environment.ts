import { existsSync } from "node:fs";
import { join } from "node:path";
import { readManifests } from "../../client/manifests/read-manifests.ts";

/**
 * Reads the environment of config/manager. Of the variables whose values come from the cluster, it includes only the
 * namespace, if the operator has one.
 */
export async function managerEnvironment(root: string, namespace?: string): Promise<Record<string, string>> {
  const variables = (await managerContainers(root))
    .flatMap(({ env }) => env ?? [])
    .map(({ name, value, valueFrom }) => {
      const isNamespace = valueFrom?.fieldRef?.fieldPath === "metadata.namespace";
      return [name, isNamespace ? namespace : value] as const;
    })
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(variables) as Record<string, string>;
}

/** Reports whether config/manager starts an operator that elects a leader. */
export async function electsLeader(root: string): Promise<boolean> {
  const given = (await managerContainers(root)).flatMap(({ args }) => args ?? []);
  return given.some((each) => /^--?leader-elect(=true)?$/.test(each));
}

async function managerContainers(root: string): Promise<readonly Container[]> {
  const file = join(root, "config", "manager", "manager.yaml");
  if (!existsSync(file)) return [];
  const manifests = await readManifests(file);
  return manifests
    .filter(({ object }) => object.kind === "Deployment")
    .flatMap(({ object }) => (object as unknown as Deployment).spec?.template?.spec?.containers ?? []);
}

interface Deployment {
  readonly spec?: { readonly template?: { readonly spec?: { readonly containers?: readonly Container[] } } };
}

interface Container {
  readonly args?: readonly string[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } };
  }[];
}
