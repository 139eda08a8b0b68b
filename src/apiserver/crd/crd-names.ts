import type { CrdNames, CustomResourceDefinition } from "../../apimachinery/crd/crd-types.ts";

/** The conflict of a CRD's names with the names of another accepted CRD of the group. */
interface NameConflict {
  readonly reason: string;
  readonly message: string;
}

export interface SettledNames {
  readonly accepted: Partial<CrdNames>;
  readonly conflict: NameConflict | undefined;
}

/**
 * Accepts the names of a CRD one by one, unless another CRD of the group has them; then the CRD keeps what it had. Of
 * several conflicts the last one found is reported, as in Go.
 */
export function settleNames(crd: CustomResourceDefinition, others: Iterable<CustomResourceDefinition>): SettledNames {
  const [taken, takenKinds] = takenNames(crd, others);
  const names = completeNames(crd.spec.names);
  const had = crd.status?.acceptedNames ?? {};
  const accepted: { -readonly [Name in keyof CrdNames]?: CrdNames[Name] } = {};
  let conflict: NameConflict | undefined;
  const refuse = (reason: string, name: string): void => {
    conflict = { reason, message: `"${name}" is already in use` };
  };
  const settle = (field: "plural" | "singular" | "kind" | "listKind", reason: string, used: Set<string>): void => {
    const name = names[field];
    if (name && used.has(name)) refuse(reason, name);
    const kept = name && used.has(name) ? had[field] : name;
    if (kept) accepted[field] = kept;
  };
  settle("plural", "PluralConflict", taken);
  settle("singular", "SingularConflict", taken);
  const short = (names.shortNames ?? []).filter((name) => taken.has(name));
  if (short[0]) refuse("ShortNamesConflict", short[0]);
  const shortNames = short.length > 0 ? had.shortNames : names.shortNames;
  if (shortNames) accepted.shortNames = shortNames;
  settle("kind", "KindConflict", takenKinds);
  settle("listKind", "ListKindConflict", takenKinds);
  if (names.categories) accepted.categories = names.categories;
  return { accepted, conflict };
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

/** Returns the names with their defaults. */
function completeNames(names: CrdNames): CrdNames {
  return {
    ...names,
    singular: names.singular ?? names.kind.toLowerCase(),
    listKind: names.listKind ?? `${names.kind}List`,
  };
}
