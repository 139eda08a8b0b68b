import type { CrdNames, CustomResourceDefinition } from "./custom-resource-definition.ts";

/** Why a CRD's names can't be accepted: they are taken by another accepted CRD of the group. */
export interface NameConflict {
  readonly reason: string;
  readonly message: string;
}

/** Names with what a client may leave out. */
export function completeNames(names: CrdNames): CrdNames {
  return {
    ...names,
    singular: names.singular ?? names.kind.toLowerCase(),
    listKind: names.listKind ?? `${names.kind}List`,
  };
}

/** The conflicts of a CRD with those whose names are accepted already; the last one found is reported, as in Go. */
export function nameConflict(
  crd: CustomResourceDefinition,
  others: Iterable<CustomResourceDefinition>,
): NameConflict | undefined {
  const [taken, takenKinds] = takenNames(crd, others);
  const names = completeNames(crd.spec.names);
  const refuse = (reason: string, name: string) => ({ reason, message: `"${name}" is already in use` });
  if (names.listKind && takenKinds.has(names.listKind)) return refuse("ListKindConflict", names.listKind);
  if (takenKinds.has(names.kind)) return refuse("KindConflict", names.kind);
  const short = (names.shortNames ?? []).find((name) => taken.has(name));
  if (short) return refuse("ShortNamesConflict", short);
  if (names.singular && taken.has(names.singular)) return refuse("SingularConflict", names.singular);
  if (taken.has(names.plural)) return refuse("PluralConflict", names.plural);
  return undefined;
}

function takenNames(
  crd: CustomResourceDefinition,
  others: Iterable<CustomResourceDefinition>,
): [names: Set<string>, kinds: Set<string>] {
  const [names, kinds] = [new Set<string>(), new Set<string>()];
  for (const other of others) {
    if (other.spec.group !== crd.spec.group || other.metadata.name === crd.metadata.name) continue;
    const { plural, singular, shortNames, kind, listKind } = other.status?.acceptedNames ?? {};
    for (const name of [plural, singular, ...(shortNames ?? [])]) if (name) names.add(name);
    for (const name of [kind, listKind]) if (name) kinds.add(name);
  }
  return [names, kinds];
}
