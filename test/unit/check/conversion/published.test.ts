import { expect, it } from "vitest";
import { defineKind, type Kind } from "../../../../src/apimachinery/kind.ts";
import type { KubeObject } from "../../../../src/apimachinery/meta.ts";
import { hubSpoke, spoke } from "../../../../src/runtime/webhook/converter.ts";
import { checkConversion } from "../../../../src/testing/check-conversion.ts";

interface Component extends KubeObject {
  spec: Record<string, unknown>;
}

function kindOf(version: string, properties: object): Kind<Component> {
  const spec = { type: "object", properties };
  const names = { group: "published.example.com", kind: "Component", plural: "components", version };
  return defineKind<Component>({
    ...names,
    schema: () => ({ type: "object", required: ["spec"], properties: { spec } }),
  });
}

const text = { type: "string", minLength: 1 };

// As in the conversion whose faults the fuzz tests of ai-dynamo/dynamo pull request 8753 have found.
it("finds a template that appears, and fields that have no place in it", async () => {
  const container = { type: "object", required: ["name"], properties: { name: text, image: text } };
  const podTemplate = { type: "object", properties: { containers: { type: "array", items: container } } };
  const resources = { type: "object", additionalProperties: text };
  const [Hub, Alpha] = [kindOf("v1beta1", { podTemplate }), kindOf("v1alpha1", { image: text, resources })];
  interface Template {
    readonly containers?: readonly { readonly name: string; readonly image?: string }[];
  }
  const converter = hubSpoke(Hub, [
    spoke<Component, Component>(
      Alpha,
      ({ metadata, spec: { image } }) => ({
        metadata,
        spec: { podTemplate: { containers: [{ name: "main", ...(image !== undefined && { image }) }] } },
      }),
      ({ metadata, spec }) => {
        const main = (spec["podTemplate"] as Template | undefined)?.containers?.find(({ name }) => name === "main");
        return { metadata, spec: { ...(main?.image !== undefined && { image: main.image }) } };
      },
    ),
  ]);
  const { findings } = await checkConversion(converter, [Hub, Alpha]);
  const sentences = findings.map(({ violation }) => violation.sentence);
  expect(sentences).toContain(
    'spec.podTemplate of v1beta1 comes back from v1alpha1 as {"containers":[{"name":"main"}]} instead of nothing.',
  );
  expect(sentences).toContainEqual(expect.stringMatching(/^spec\.resources of v1alpha1 comes back .* as nothing/));
});

// As ConvertTo of ClusterClass in cluster-api 1.5.1, which panics if an item was removed since.
it("finds a conversion that fails if an item was removed whose fields an annotation keeps", async () => {
  const [name, drain, key] = [text, text, "published.example.com/kept"];
  const items = { type: "array", items: { type: "object", required: ["name"], properties: { name } } };
  const hubItems = { ...items, items: { ...items.items, properties: { name, drain } } };
  const [Hub, Alpha] = [kindOf("v1beta1", { workers: hubItems }), kindOf("v1alpha4", { workers: items })];
  type Workers = { name: string; drain?: string }[] | undefined;
  const converter = hubSpoke(Hub, [
    spoke<Component, Component>(
      Alpha,
      ({ metadata, spec }) => {
        const { [key]: kept, ...annotations } = metadata.annotations ?? {};
        const workers = structuredClone(spec["workers"] as Workers);
        for (const [index, worker] of (JSON.parse(kept ?? "[]") as NonNullable<Workers>).entries())
          if (worker.drain !== undefined) workers![index]!.drain = worker.drain;
        return { metadata: { ...metadata, annotations }, spec: { ...(workers && { workers }) } };
      },
      ({ metadata, spec }) => {
        const workers = spec["workers"] as Workers;
        const annotations = { ...metadata.annotations, ...(workers && { [key]: JSON.stringify(workers) }) };
        const shown = workers?.map((worker) => ({ name: worker.name }));
        return { metadata: { ...metadata, annotations }, spec: { ...(shown && { workers: shown }) } };
      },
    ),
  ]);
  const { findings } = await checkConversion(converter, [Hub, Alpha]);
  expect(findings.map(({ plan }) => plan.description)).toContainEqual(
    expect.stringMatching(/^Component of v1beta1 is converted to v1alpha4 and back, after spec\.workers.* is /),
  );
  expect(findings.map(({ violation }) => violation.sentence)).toContainEqual(
    expect.stringMatching(/^A valid object of v1alpha4 is not converted to v1beta1: Cannot /),
  );
});
