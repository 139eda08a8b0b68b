import type { ClientConfig } from "../../client/config/config.ts";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import type { FleetChange } from "./cluster-provider.ts";

/** The clusters of a file or Secret, or the reason why they cannot be read. */
export type Listing = { readonly clusters: ReadonlyMap<string, ClientConfig> } | { readonly error: unknown };

interface Source {
  /** The configurations by name, as text to compare. */
  clusters: ReadonlyMap<string, string>;
  /** The last error that was reported. */
  told: string;
}

/** Compares the content of files or Secrets with their content before. */
export class Roster {
  private readonly sources = new Map<string, Source>();
  private readonly owners = new Map<string, string>();

  get names(): readonly string[] {
    return [...this.sources.keys()];
  }

  /** Returns the changes of a source; `undefined` if it is gone. */
  update(name: string, listing: Listing | undefined): FleetChange[] {
    const source = this.sources.get(name) ?? { clusters: new Map<string, string>(), told: "" };
    if (!listing) {
      this.sources.delete(name);
      return this.removals(source.clusters, new Map());
    }
    this.sources.set(name, source);
    if ("error" in listing) return this.invalid(source, name, listing.error);
    const { accepted, refused } = this.claim(name, listing.clusters);
    const texts = new Map([...accepted].map(([cluster, config]) => [cluster, JSON.stringify(config)]));
    const changes: FleetChange[] = this.removals(source.clusters, texts);
    for (const [cluster, config] of accepted) {
      if (source.clusters.get(cluster) !== texts.get(cluster)) changes.push({ type: "cluster", name: cluster, config });
    }
    source.clusters = texts;
    if (refused.length === 0) source.told = "";
    else changes.push(...this.invalid(source, name, new TsopError("TSOP_FLEET_NAME_TAKEN", refused[0]!)));
    return changes;
  }

  /** Reports an error once. */
  private invalid(source: Source, name: string, error: unknown): FleetChange[] {
    const text = messageOf(error);
    if (source.told === text) return [];
    source.told = text;
    return [{ type: "invalid", source: name, error }];
  }

  /** Splits clusters into the ones of this source, and the ones whose names belong to another. */
  private claim(source: string, clusters: ReadonlyMap<string, ClientConfig>) {
    const accepted = new Map<string, ClientConfig>();
    const refused: { name: string; source: string; owner: string }[] = [];
    for (const [name, config] of clusters) {
      const owner = this.owners.get(name) ?? source;
      if (owner !== source) refused.push({ name, source, owner });
      else accepted.set(name, config);
      this.owners.set(name, owner);
    }
    return { accepted, refused };
  }

  private removals(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): FleetChange[] {
    const gone = [...before.keys()].filter((name) => !after.has(name));
    for (const name of gone) this.owners.delete(name);
    return gone.map((name) => ({ type: "removed", name }));
  }
}
