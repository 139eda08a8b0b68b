import type { StoreListener } from "../../apiserver/storage/store.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { RecordedRequest } from "../../check/world/run-record.ts";
import { isLeaderAnnotated } from "../../check/world/traffic.ts";
import { isTransient } from "../copy/wanted-resources.ts";

/** The author of a change. Manifests are applied by the user. */
export type Author = Exclude<RecordedRequest["by"], "neighbour">;

/** An object that differs from its copy. */
export interface ChangedObject {
  /** `apps/deployments default/memcached` */
  readonly id: string;
  readonly before: UnstructuredObject | undefined;
  readonly after: UnstructuredObject | undefined;
  readonly by: Author;
}

/** What the server and the simulated control plane add to every cluster. */
const ofSandbox =
  /^(\/(nodes|serviceaccounts|configmaps|endpoints)|storage\.k8s\.io\/storageclasses|discovery\.k8s\.io\/endpointslices|apiregistration\.k8s\.io\/apiservices) /;

/** Follows a server that starts with a copy, and notes what changes. */
export class StoreWatch {
  /** All objects, as they are now. */
  readonly objects: Map<string, UnstructuredObject> = new Map();
  private readonly before = new Map<string, UnstructuredObject | undefined>();
  private readonly defaulted = new Map<string, UnstructuredObject>();
  private isCopied = false;

  /** Ends the loading of the copy: changes count from now on. */
  begin(): void {
    this.isCopied = true;
  }

  /** Replaces the state with which an object is compared: the defaults of a newer schema are set in this one. */
  rebase(id: string, object: UnstructuredObject): void {
    this.defaulted.set(id, object);
  }

  readonly stored: StoreListener = (resource, { key, type, object, previous }) => {
    const id = `${resource} ${key}`;
    if (this.isCopied && !this.before.has(id)) this.before.set(id, previous);
    if (type === "DELETED") this.objects.delete(id);
    else this.objects.set(id, object);
  };

  /** Returns the objects that differ from the copy, except events, leases and objects that were created and deleted again. */
  changed(requests: readonly RecordedRequest[]): ChangedObject[] {
    const authors = new Map<string, Author>();
    // An object that the operator has written counts as its work, even if others have written it, too.
    for (const { by, changes } of requests)
      for (const { id } of changes) if (authors.get(id) !== "operator") authors.set(id, by as Author);

    return [...this.before].flatMap(([id, stored]) => {
      const before = stored && (this.defaulted.get(id) ?? stored);
      const after = this.objects.get(id);
      const [group = "", plural = ""] = id.slice(0, id.indexOf(" ")).split("/");
      const metadata = (after ?? before)?.metadata;
      const by = authors.get(id);
      if (!metadata || isTransient(group, plural) || isLeaderAnnotated(metadata)) return [];
      const isAdded = !before && (by === undefined || by === "cluster") && ofSandbox.test(id);
      return isAdded ? [] : [{ id, before, after, by: by ?? "operator" }];
    });
  }
}
