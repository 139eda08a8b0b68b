import type { ServerRequest, ServerResponse } from "../api-server.ts";
import type { ResourceEntry, ServedResource } from "./served-resource.ts";

/** A version that is registered by an APIService alone. */
export interface AggregatedVersion {
  readonly group: string;
  readonly version: string;
  /** True if a service answers for it. */
  readonly isRemote: boolean;
  /** The server of the service, if it is available. */
  readonly extension?: {
    readonly resources: readonly ExtensionResource[];
    answer(request: ServerRequest): Promise<ServerResponse>;
  };
}

/** A resource of an extension server, as its APIResourceList has it. */
export interface ExtensionResource {
  readonly name: string;
  readonly singularName?: string;
  readonly namespaced?: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** All served resources: built-in ones, and those of established CRDs. */
export class ResourceRegistry {
  private readonly byVersion = new Map<string, ResourceEntry>();
  private readonly custom = new Map<string, readonly ResourceEntry[]>();
  private readonly builtinGroups = new Set<string>();
  private resourceList: readonly ServedResource[] | undefined;
  private aggregatedList: readonly AggregatedVersion[] = [];
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

  /** Returns the versions of APIServices for which this server has no resources. */
  aggregated(): readonly AggregatedVersion[] {
    return this.aggregatedList;
  }

  setAggregated(versions: readonly AggregatedVersion[]): void {
    if (versions.length === 0 && this.aggregatedList.length === 0) return;
    this.aggregatedList = versions;
    this.resourceList = undefined;
  }

  customOf(crdName: string): readonly ResourceEntry[] {
    return this.custom.get(crdName) ?? [];
  }
}

function idOf({ group, version, plural }: ServedResource): string {
  return `${group}/${version}/${plural}`;
}
