import type { ResourceEntry } from "./resource-entry.ts";
import type { ServedResource } from "./served-resource.ts";

/** All served resources: the built-in ones and those of established CRDs. */
export class ResourceRegistry {
  readonly #entries = new Map<string, ResourceEntry>();
  readonly #custom = new Map<string, readonly ResourceEntry[]>();
  readonly #builtinGroups = new Set<string>();
  #resources: readonly ServedResource[] | undefined;

  constructor(builtins: Iterable<ResourceEntry>) {
    for (const entry of builtins) {
      this.#entries.set(idOf(entry.resource), entry);
      this.#builtinGroups.add(entry.resource.group);
    }
  }

  find(group: string, version: string, plural: string): ResourceEntry | undefined {
    return this.#entries.get(`${group}/${version}/${plural}`);
  }

  /** Reports whether a group is built in: a 404 of custom groups has another form. */
  isBuiltinGroup(group: string): boolean {
    return this.#builtinGroups.has(group);
  }

  entries(): IterableIterator<ResourceEntry> {
    return this.#entries.values();
  }

  /** Returns all resources. The array stays the same until the next change, so that documents can be cached by it. */
  resources(): readonly ServedResource[] {
    return (this.#resources ??= [...this.#entries.values()].map(({ resource }) => resource));
  }

  /** Replaces the resources of a CRD; an empty list removes them. */
  setCustom(crdName: string, entries: readonly ResourceEntry[]): void {
    for (const { resource } of this.#custom.get(crdName) ?? []) this.#entries.delete(idOf(resource));
    if (entries.length) this.#custom.set(crdName, entries);
    else this.#custom.delete(crdName);
    for (const entry of entries) this.#entries.set(idOf(entry.resource), entry);
    this.#resources = undefined;
  }

  customOf(crdName: string): readonly ResourceEntry[] {
    return this.#custom.get(crdName) ?? [];
  }
}

function idOf({ group, version, plural }: ServedResource): string {
  return `${group}/${version}/${plural}`;
}
