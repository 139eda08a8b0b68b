import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { UnstructuredObject } from "../apimachinery/meta.ts";
import type { Subject } from "../check/world/subject.ts";
import { isCrd } from "../client/manifests/install-crds.ts";
import { parseYaml, type Manifest } from "../client/manifests/read-manifests.ts";
import { readGiven } from "./apply-changed.ts";
import { openCheckedOperator, type CheckedHost, type CheckedSource } from "./checked-operator.ts";
import type { OperatorAccount } from "./target/operator-roles.ts";

/** A new version of an operator, with the manifests that deploy it. */
export interface PlannedOperator {
  /** The folder of the project; the working folder for a program. */
  readonly root: string;
  readonly subject: Subject;
  readonly manifests: readonly Manifest[];
}

/**
 * Builds the operator of the project around the working folder, with the CRDs, roles and webhooks of its config, or takes
 * the given program. Objects that are given replace those of the config.
 */
export async function openPlannedOperator(
  host: CheckedHost,
  { exec, apply, args }: Pick<CheckedSource, "exec" | "apply" | "args">,
): Promise<PlannedOperator> {
  const rbac = exec === undefined && apply === undefined;
  const { root, subject: opened } = await openCheckedOperator(host, { exec, apply, args, rbac, objects: [] });
  const { crds, before, webhooks, account } = rbac ? await withPrefix(root, opened) : opened;
  const given = apply === undefined ? undefined : await readGiven(host.cwd, apply);
  // A deployment does not include the CRDs of other projects.
  const own = [...crds, ...(webhooks?.configurations ?? [])].map((object) => ({ file: "config", object }));
  const manifests = given ?? [...own, ...before.filter(({ object }) => !isCrd(object))];
  return { root, subject: { ...opened, webhooks, account: account ?? accountIn(manifests) }, manifests };
}

/** Returns the account of the only Deployment that has one, which is the operator's. */
export function accountIn(manifests: readonly Manifest[]): OperatorAccount | undefined {
  const accounts = manifests.flatMap(({ object: { kind, metadata, spec } }) => {
    const { template } = (spec ?? {}) as { template?: { spec?: { serviceAccountName?: string } } };
    const name = kind === "Deployment" ? template?.spec?.serviceAccountName : undefined;
    return name === undefined ? [] : [{ namespace: metadata.namespace ?? "default", name }];
  });
  return accounts.length === 1 ? accounts[0] : undefined;
}

/** Gives roles, bindings, accounts and webhooks the prefix of config/default, as kustomize does. */
async function withPrefix(root: string, subject: Subject): Promise<Subject> {
  const file = join(root, "config", "default", "kustomization.yaml");
  const [kustomization] = (await parseYaml(await readFile(file, "utf8"), file)) as [{ namePrefix?: string }?];
  const prefix = kustomization?.namePrefix ?? "";
  const { before, webhooks, account } = subject;
  return {
    ...subject,
    before: before.map(({ file: from, object }) => ({ file: from, object: prefixed(object, prefix) })),
    webhooks: webhooks && {
      ...webhooks,
      configurations: webhooks.configurations.map((each) => prefixed(each, prefix)),
    },
    account: account && { ...account, name: `${prefix}${account.name}` },
  };
}

function prefixed(object: UnstructuredObject, prefix: string): UnstructuredObject {
  // The kustomization gives the namespace its whole name, and CRDs have no prefix.
  if (object.kind === "Namespace" || isCrd(object)) return object;
  const { roleRef, subjects } = object as { roleRef?: { name: string }; subjects?: { kind: string; name: string }[] };
  return {
    ...object,
    metadata: { ...object.metadata, name: `${prefix}${object.metadata.name}` },
    ...(roleRef && { roleRef: { ...roleRef, name: `${prefix}${roleRef.name}` } }),
    ...(subjects && {
      subjects: subjects.map((each) =>
        each.kind === "ServiceAccount" ? { ...each, name: `${prefix}${each.name}` } : each,
      ),
    }),
  };
}
