import { randomBytes } from "node:crypto";
import { apiVersionOf, type Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { isApiError, isForbidden, isGone, isNotFound } from "../../apimachinery/status.ts";
import { builtinEntries } from "../../apiserver/kinds/builtin-entries.ts";
import { isLeaderAnnotated } from "../../check/world/traffic.ts";
import type { DiscoveredKind } from "../../client/discovery/discover-all.ts";
import {
  checkCopied,
  formatResource,
  type ClusterCopy,
  type CopiedObject,
  type CopyHeader,
  type Resource,
} from "./cluster-copy.ts";
import type { ClusterReader } from "./cluster-reader.ts";
import { hideSecret } from "./hide-secrets.ts";
import { referencesOf, basicResources, isTransient, wantedBy, type WantedResource } from "./wanted-resources.ts";
import { rolesOnCluster, type Account } from "./roles-of-account.ts";

export interface CopyOptions extends Pick<CopyHeader, "cluster" | "secrets" | "namespace" | "takenAt"> {
  readonly reader: ClusterReader;
  /** The manifests of the new version. */
  readonly manifests: readonly UnstructuredObject[];
  /** The account of the operator. */
  readonly account?: Account | undefined;
  readonly also?: readonly WantedResource[];
  /** Called after each page, with the number of objects so far. */
  readonly onProgress?: (objects: number) => void;
}

/** Copies what the operator sees: what its roles, now and then, allow, what owns that, and what its pods refer to. */
export async function takeCopy(options: CopyOptions): Promise<ClusterCopy> {
  const copying = new Copying(options, await options.reader.discover());
  await copying.all();
  const { cluster, takenAt, secrets, namespace } = options;
  const [missing, resources] = [copying.missing, copying.read].map((each) => [...each].sort());
  const header = { cluster, takenAt, secrets, namespace, missing: missing!, resources: resources! };
  return { ...header, objects: copying.objects, ...(secrets === "hash" && { hide: (each) => copying.hide(each) }) };
}

/** A list may expire between two pages as often as this. */
const mostAttempts = 3;

class Copying {
  readonly missing = new Set<string>();
  readonly read = new Set<string>();
  private readonly copied = new Map<string, CopiedObject>();
  private readonly uids = new Set<string | undefined>();
  private readonly options: CopyOptions;
  private readonly served: readonly DiscoveredKind[];
  /** The version in which the embedded server stores a built-in resource. */
  private readonly builtin = new Map<string, string>();
  private readonly key = randomBytes(32);
  private readonly asked = new Set<string>();
  private readonly refused = new Set<string>();

  constructor(options: CopyOptions, served: readonly DiscoveredKind[]) {
    this.options = options;
    this.served = served;
    for (const { resource } of builtinEntries()) {
      const id = idOf(resource);
      if (!this.builtin.has(id)) this.builtin.set(id, resource.version);
    }
  }

  get objects(): readonly CopiedObject[] {
    return [...this.copied.values()];
  }

  async all(): Promise<void> {
    const { manifests, account, also = [] } = this.options;
    for (const wanted of basicResources) await this.copy(wanted);
    const here = this.objects.map(({ object }) => object);
    const wanted = [...wantedBy(manifests), ...wantedBy(rolesOnCluster(here, manifests, account)), ...also];
    // The whole of a resource is read before parts of it, which then are known.
    for (const each of wanted.flatMap((one) => this.expand(one)).toSorted((a, b) => breadth(a) - breadth(b)))
      await this.copy(each);
    for (const each of also.filter((one) => !this.kindOf(one)))
      this.missing.add(`${formatResource(each)}: the cluster does not serve it`);
    for (const manifest of manifests) await this.copyManifest(manifest);
    await this.copyOwners();
    for (const { plural, namespace, name } of this.objects.flatMap(({ object }) => referencesOf(object)))
      await this.copyOne(this.kindOf({ group: "", plural }), namespace, name);
  }

  /** Returns the resources that `*` stands for. */
  private expand(wanted: WantedResource): WantedResource[] {
    if (wanted.group !== "*" && wanted.plural !== "*") return [wanted];
    const matching = this.served
      .filter(({ kind, verbs }) => verbs.includes("list") && !isTransient(kind.group, kind.plural))
      .filter(({ kind }) => matches(wanted.group, kind.group) && matches(wanted.plural, kind.plural))
      .filter(({ kind }) => this.versionOf(kind) !== undefined);
    return matching.map(({ kind: { group, plural } }) => ({ ...wanted, group, plural }));
  }

  private async copy(wanted: WantedResource): Promise<void> {
    const kind = isTransient(wanted.group, wanted.plural) ? undefined : this.kindOf(wanted);
    const only = this.options.namespace;
    // Nothing of a resource that is not served is missing.
    if (!kind) return void this.read.add(formatResource(wanted));
    if (this.read.has(formatResource(kind)) || isOther(only, wanted.namespace)) return;
    // The other namespaces have no copied object.
    const names = idOf(kind) === "/namespaces" && only !== undefined ? [only] : wanted.names;
    const namespace = kind.scope === "Namespaced" ? (only ?? wanted.namespace) : undefined;
    for (const name of names.length > 0 ? names : [undefined])
      for (const object of await this.list(kind, { namespace, name })) this.add(kind, object);
    const isWhole = kind.scope === "Cluster" || namespace === only;
    if (names.length === 0 && isWhole) this.read.add(formatResource(kind));
  }

  /** Returns the kind of a resource in the version in which the copy stores it; undefined if it is not served. */
  private kindOf(resource: Resource): Kind<UnstructuredObject> | undefined {
    const found = this.served.filter(({ kind }) => idOf(kind) === idOf(resource));
    if (found.length === 0) return undefined;
    const version = this.versionOf(resource);
    const served = found.find(({ kind }) => kind.version === version);
    if (!served) this.missing.add(`${formatResource(resource)}: the copy does not serve the version of the cluster`);
    return served?.kind as Kind<UnstructuredObject> | undefined;
  }

  private versionOf(resource: Resource): string | undefined {
    const crd = this.copied.get(`${crds} ${formatResource(resource)}`)?.object;
    if (!crd) return this.builtin.get(idOf(resource));
    const { versions } = crd["spec"] as { versions: { name: string; served: boolean; storage: boolean }[] };
    const served = versions.filter((version) => version.served);
    return (served.find(({ storage }) => storage) ?? served[0])?.name;
  }

  /** Reads a list, again if it expires between two pages. A resource that may not be read is named. */
  private async list(
    kind: Kind<UnstructuredObject>,
    where: { namespace: string | undefined; name: string | undefined },
  ): Promise<UnstructuredObject[]> {
    for (let attempt = 1; ; attempt++) {
      const objects: UnstructuredObject[] = [];
      try {
        for await (const object of this.options.reader.list(kind, where)) {
          objects.push(object);
          if (objects.length % 250 === 0) this.options.onProgress?.(this.copied.size + objects.length);
        }
        return objects;
      } catch (error) {
        if (isGone(error) && attempt < mostAttempts) continue;
        if (this.isLeftOut(kind, error)) return [];
        throw error;
      }
    }
  }

  private isLeftOut(kind: Kind, error: unknown): boolean {
    if (isForbidden(error)) this.missing.add(`${formatResource(kind)}: the cluster does not allow to read it`);
    // A resource without lists.
    return isForbidden(error) || isNotFound(error) || (isApiError(error) && error.code === 405);
  }

  /** Replaces the values of a Secret by stand-ins. */
  hide(secret: UnstructuredObject): UnstructuredObject {
    return hideSecret(secret, this.key);
  }

  private add(kind: Kind, object: UnstructuredObject): void {
    const { metadata } = object;
    checkCopied(object);
    if (isLeaderAnnotated(metadata)) return;
    const isSecret = idOf(kind) === "/secrets";
    if (isSecret && this.options.secrets === "omit") return;
    const kept = isSecret && this.options.secrets === "hash" ? this.hide(object) : object;
    const resource = idOf(kind);
    const key = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
    this.copied.set(`${resource} ${key}`, { resource, object: kept });
    this.uids.add(metadata.uid);
    if (this.copied.size % 100 === 0) this.options.onProgress?.(this.copied.size);
  }

  /** Copies the kinds of owners that are not there, and those of their owners. */
  private async copyOwners(): Promise<void> {
    const asked = new Set<string>();
    for (let more = true; more;) {
      const owners = this.objects.flatMap(({ object }) => object.metadata.ownerReferences ?? []);
      const kinds = owners.filter(({ uid }) => !this.uids.has(uid)).map((owner) => `${owner.apiVersion} ${owner.kind}`);
      const fresh = [...new Set(kinds)].filter((kind) => !asked.has(kind));
      more = fresh.length > 0;
      for (const each of fresh) {
        asked.add(each);
        const found = this.served.find(({ kind }) => `${apiVersionOf(kind)} ${kind.kind}` === each);
        // Nodes own mirror pods, and the operator does not look at them.
        if (found && found.kind.kind !== "Node") await this.copy({ ...found.kind, names: [] });
      }
    }
  }

  /** Copies the object that a manifest is about to change. */
  private async copyManifest({ apiVersion, kind: wanted, metadata }: UnstructuredObject): Promise<void> {
    const found = this.served.find(({ kind }) => kind.kind === wanted && apiVersionOf(kind) === apiVersion)?.kind;
    const { name, namespace = this.options.account?.namespace ?? "default" } = metadata;
    if (found && name !== undefined)
      await this.copyOne(this.kindOf(found), found.scope === "Namespaced" ? namespace : undefined, name);
  }

  /** Copies an object, unless it is known, or is known not to be there. */
  private async copyOne(
    kind: Kind<UnstructuredObject> | undefined,
    namespace: string | undefined,
    name: string,
  ): Promise<void> {
    if (!kind || isOther(this.options.namespace, namespace)) return;
    const id = `${idOf(kind)} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
    const resource = formatResource(kind);
    if (this.asked.has(id) || this.copied.has(id) || this.read.has(resource) || this.refused.has(resource)) return;
    this.asked.add(id);
    try {
      const object = await this.options.reader.get(kind, namespace === undefined ? { name } : { namespace, name });
      if (object) this.add(kind, object);
    } catch (error) {
      if (!this.isLeftOut(kind, error)) throw error;
      this.refused.add(resource);
    }
  }
}

const crds = "apiextensions.k8s.io/customresourcedefinitions";

function idOf({ group, plural }: Resource): string {
  return `${group}/${plural}`;
}

/** Reports whether a namespace is not the only one that is copied. */
function isOther(only: string | undefined, namespace: string | undefined): boolean {
  return only !== undefined && namespace !== undefined && namespace !== only;
}

function matches(wanted: string, name: string): boolean {
  return wanted === "*" || wanted === name;
}

function breadth({ names, namespace }: WantedResource): number {
  return (names.length > 0 ? 2 : 0) + (namespace === undefined ? 0 : 1);
}
