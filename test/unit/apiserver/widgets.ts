import { until, type Asker } from "./ask.ts";

export const widgets = "/apis/example.com/v1/namespaces/default/widgets";

/** A namespaced kind with status and scale. */
export function widgetCrd(overrides: Record<string, unknown> = {}): any {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      names: { kind: "Widget", plural: "widgets", shortNames: ["wd"] },
      scope: "Namespaced",
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: {
            status: {},
            scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
          },
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: {
                  type: "object",
                  required: ["size"],
                  properties: {
                    size: { type: "string", enum: ["S", "M", "L"] },
                    replicas: { type: "integer", default: 1, minimum: 0 },
                  },
                },
                status: { type: "object", properties: { replicas: { type: "integer" }, phase: { type: "string" } } },
              },
            },
          },
        },
      ],
      ...overrides,
    },
  };
}

export function widget(name: string, spec: Record<string, unknown> = { size: "S" }): any {
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name }, spec };
}

export async function installWidgets(asker: Asker, overrides?: Record<string, unknown>): Promise<void> {
  const { status } = await asker.ask(
    "POST",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    widgetCrd(overrides),
  );
  if (status !== 201) throw new Error(`the CRD was refused: ${status}`);
  await until(asker, widgets, (reply) => reply.status === 200);
}
