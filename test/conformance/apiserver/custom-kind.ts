import type { RequestStep, Step } from "./scenario.ts";
import { GET, POST } from "./requests.ts";

/** A custom kind of a scenario's own: its CRD, its path, its objects. */
export interface CustomKind {
  readonly crd: any;
  /** Steps that create the CRD and wait until it is served; nothing of them is compared. */
  readonly install: readonly Step[];
  /** The collection in the scenario's namespace. */
  readonly path: string;
  readonly object: (name: string, fields?: Record<string, unknown>) => any;
}

export const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** A kind `Thing` in the group `<name>.example.com`; `version` is merged into its only version. */
export function customKind(
  name: string,
  version: Record<string, unknown> = {},
  spec: Record<string, unknown> = {},
): CustomKind {
  const group = `${name}.example.com`;
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: {
      group,
      names: { kind: "Thing", plural: "things" },
      scope: "Namespaced",
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schemaOf({ x: { type: "string" } }) },
          ...version,
        },
      ],
      ...spec,
    },
  };
  const path = `/apis/${group}/v1/namespaces/{ns}/things`;
  const served: RequestStep = GET(path, { until: (_, status) => status === 200, unrecorded: true });
  return {
    crd,
    install: [POST(crds, crd, { until: isInstalled, unrecorded: true }), served],
    path,
    object: (name, fields = {}) => ({ apiVersion: `${group}/v1`, kind: "Thing", metadata: { name }, ...fields }),
  };
}

/** A scenario that is repeated finds its kind installed. */
function isInstalled({ message }: any, status: number): boolean {
  return status === 201 || (status === 409 && !message.startsWith("object is being deleted"));
}

/** A whole object's schema with these properties of its spec; status is free. */
export function schemaOf(properties: Record<string, unknown>, more: Record<string, unknown> = {}): any {
  return {
    type: "object",
    properties: {
      spec: { type: "object", properties, ...more },
      status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
  };
}

/** Returns a definition without its conditions, which change at any moment, and the version that changes with them. */
export function withoutConditions({ status, ...body }: any): unknown {
  if (body.kind === "Status") return { ...body, status };
  const { resourceVersion: _, ...metadata } = body.metadata;
  return { ...body, metadata };
}
