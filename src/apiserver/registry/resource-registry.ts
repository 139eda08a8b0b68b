import type { ResourceEntry, ServedResource } from "./served-resource.ts";

/** All served resources: built-in ones, and those of established CRDs. */
export class ResourceRegistry {
  private readonly byVersion = new Map<string, ResourceEntry>();
  private readonly custom = new Map<string, readonly ResourceEntry[]>();
  private readonly builtinGroups = new Set<string>();
  private resourceList: readonly ServedResource[] | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(builtins: Iterable<ResourceEntry>) {
    for (const entry of builtins) {
      this.byVersion.set(idOf(entry.resource), entry);
      this.builtinGroups.add(entry.resource.group);
    }
  }

  find(group: string, version: string, plural: string): ResourceEntry | undefined {
    return this.byVersion.get(`${group}/${version}/${plural}`);
  }

  /** Reports whether a group is built in: a 404 of custom groups has another form. */
  isBuiltinGroup(group: string): boolean {
    return this.builtinGroups.has(group);
  }

  entries(): IterableIterator<ResourceEntry> {
    return this.byVersion.values();
  }

  /** Returns all resources. The array stays the same until the next change, so that documents can be cached by it. */
  resources(): readonly ServedResource[] {
    return (this.resourceList ??= [...this.byVersion.values()].map(({ resource }) => resource));
  }

  /** Replaces the resources of a CRD; an empty list removes them. */
  setCustom(crdName: string, entries: readonly ResourceEntry[]): void {
    for (const { resource } of this.custom.get(crdName) ?? []) this.byVersion.delete(idOf(resource));
    if (entries.length) this.custom.set(crdName, entries);
    else this.custom.delete(crdName);
    for (const entry of entries) this.byVersion.set(idOf(entry.resource), entry);
    this.resourceList = undefined;
    for (const listener of this.listeners) listener();
  }

  /** Calls the listener after each change of the custom resources. */
  listen(listener: () => void): void {
    this.listeners.add(listener);
  }

  customOf(crdName: string): readonly ResourceEntry[] {
    return this.custom.get(crdName) ?? [];
  }
}

function idOf({ group, version, plural }: ServedResource): string {
  return `${group}/${version}/${plural}`;
}
