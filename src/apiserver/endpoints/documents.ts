import type { Builtins } from "../../apimachinery/builtin/load-builtins.ts";
import type { ServedResource } from "../registry/served-resource.ts";
import { aggregatedDiscovery, type DiscoveryDocument } from "./discovery/aggregated-discovery.ts";
import {
  openApiDocument,
  openApiHashes,
  openApiIndex,
  type OpenApiDocument,
  type OpenApiIndex,
} from "./openapi/open-api-document.ts";
import { encodeV2, v2Document } from "./openapi/v2-document.ts";

/** Discovery and OpenAPI documents of a server, rendered with the first request for them and kept until they change. */
export class Documents {
  private readonly builtins: Builtins;
  private readonly currentResources: () => readonly ServedResource[];
  private resources: readonly ServedResource[] = [];
  private readonly documents = new Map<string, unknown>();
  /** By path: a change in one version does not affect the documents of the others. */
  private readonly versions = new Map<string, OpenApiDocument>();

  /** `currentResources` returns the same array until the resources change. */
  constructor(builtins: Builtins, currentResources: () => readonly ServedResource[]) {
    this.builtins = builtins;
    this.currentResources = currentResources;
  }

  discovery(scope: "core" | "groups"): DiscoveryDocument {
    return this.keep(`discovery of ${scope}`, (resources) => aggregatedDiscovery(scope, resources));
  }

  openApiIndex(): OpenApiIndex {
    return openApiIndex(this.hashes());
  }

  /** Returns the document of `api/v1` or `apis/<group>/<version>`; `undefined` if no resource of it is served. */
  openApi(path: string): OpenApiDocument | undefined {
    const hash = this.hashes().get(path);
    if (hash === undefined) return undefined;
    const kept = this.versions.get(path);
    if (kept?.hash === hash) return kept;
    const document = { hash, body: openApiDocument(path, this.currentResources(), this.builtins) };
    this.versions.set(path, document);
    return document;
  }

  /** Returns the document of version 2; in protobuf each character is a byte. */
  openApiV2(form: "json" | "protobuf"): string {
    return this.keep(`version 2 in ${form}`, (resources) =>
      form === "json"
        ? JSON.stringify(v2Document(resources, this.builtins))
        : encodeV2(v2Document(resources, this.builtins)),
    );
  }

  private hashes(): ReadonlyMap<string, string> {
    return this.keep("hashes", openApiHashes);
  }

  private keep<T>(name: string, render: (resources: readonly ServedResource[]) => T): T {
    const resources = this.currentResources();
    if (resources !== this.resources) this.documents.clear();
    this.resources = resources;
    if (!this.documents.has(name)) this.documents.set(name, render(resources));
    return this.documents.get(name) as T;
  }
}
