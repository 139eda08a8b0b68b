import type { Kind } from "../../apimachinery/kind.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { isKindNotServed, type ApiCaller } from "../calls/api-caller.ts";
import type { CallOptions } from "../client.ts";
import { discoverKind } from "./discover-kind.ts";
import { discoverVersions } from "./discover-versions.ts";

/** What a server has said about its kinds. A miss is never remembered: a CRD that is installed later is found. */
export class DiscoveredKinds {
  private readonly caller: ApiCaller;
  private readonly kinds = new Map<string, Kind<UnstructuredObject>>();
  private readonly preferred = new Map<string, Kind<UnstructuredObject>>();

  constructor(caller: ApiCaller) {
    this.caller = caller;
  }

  async find(apiVersion: string, kind: string, options?: CallOptions): Promise<Kind<UnstructuredObject>> {
    const name = `${apiVersion}/${kind}`;
    const found = this.kinds.get(name) ?? (await discoverKind(this.caller, { apiVersion, kind }, options));
    this.kinds.set(name, found);
    return found;
  }

  /** In the version that the server prefers, else in the first of the others that has the kind. */
  async findPreferred(group: string, kind: string, options?: CallOptions): Promise<Kind<UnstructuredObject>> {
    const name = `${group}/${kind}`;
    const found = this.preferred.get(name) ?? (await this.askPreferred(group, kind, options));
    this.preferred.set(name, found);
    return found;
  }

  /** The server has said that it doesn't serve something of this group any more. */
  forget(group: string): void {
    for (const known of [this.kinds, this.preferred]) {
      for (const [name, kind] of known) if (kind.group === group) known.delete(name);
    }
  }

  private async askPreferred(group: string, kind: string, options?: CallOptions): Promise<Kind<UnstructuredObject>> {
    const [first, ...others] = await discoverVersions(this.caller, { group, kind }, options);
    let missing: unknown;
    for (const apiVersion of [first, ...others]) {
      try {
        return await this.find(apiVersion, kind, options);
      } catch (error) {
        if (!isKindNotServed(error)) throw error;
        missing ??= error;
      }
    }
    throw missing;
  }
}
