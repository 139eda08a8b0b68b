/** The PROJECT file, schema version 3. Unknown fields are kept, in the value and in the file, but not misspelled ones. */
export interface Project {
  readonly version: "3";
  readonly cliVersion?: string;
  readonly domain?: string;
  readonly layout: readonly string[];
  readonly projectName: string;
  readonly repo?: string;
  readonly multigroup?: boolean;
  readonly namespaced?: boolean;
  readonly resources?: readonly Resource[];
  readonly plugins?: Readonly<Record<string, unknown>>;
}

/** A kind in one version. Group, domain, version and kind identify it. */
export interface Resource {
  readonly api?: { readonly crdVersion?: string; readonly namespaced?: boolean; readonly ssa?: boolean };
  readonly controller?: boolean;
  readonly controllers?: readonly { readonly name: string }[];
  readonly core?: boolean;
  readonly external?: boolean;
  readonly domain?: string;
  readonly group?: string;
  readonly kind: string;
  readonly module?: string;
  readonly path?: string;
  readonly plural?: string;
  readonly version: string;
  readonly webhooks?: Webhooks;
}

export interface Webhooks {
  readonly conversion?: boolean;
  readonly defaulting?: boolean;
  readonly defaultingPath?: string;
  readonly spoke?: readonly string[];
  readonly validation?: boolean;
  readonly validationPath?: string;
  readonly webhookVersion?: string;
}

/** The `layout` of a project that tsop created. */
export const layoutKey = "typescript.tsop.dev/v1";

/** Returns `cache.example.com`, or the half of it that is not empty. */
export function qualifiedGroup(resource: Pick<Resource, "group" | "domain">): string {
  return [resource.group, resource.domain].filter(Boolean).join(".");
}
