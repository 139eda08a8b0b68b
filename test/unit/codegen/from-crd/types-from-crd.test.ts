import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../../src/apimachinery/json-schema.ts";
import { compareSchemas } from "../../../../src/apimachinery/crd/compare-schemas.ts";
import { typesFromCrd } from "../../../../src/codegen/from-crd/types-from-crd.ts";
import { customResourceDefinition } from "../../../../src/codegen/generate-crds.ts";
import { generate, loadProjectTypes } from "../../../../src/codegen/run-generators.ts";
import type { CustomResourceDefinition } from "../../../../src/apimachinery/crd/crd-types.ts";
import { memoryDisk, type MemoryDisk } from "../../../../src/files/memory-disk.ts";
import { boatCrd } from "./boat-crd.ts";

const any: JsonSchema = { "x-kubernetes-preserve-unknown-fields": true };
const pattern =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";
const either: JsonSchema = { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true };

/** A field's schema, and the line that declares the field. */
const fields: readonly (readonly [name: string, schema: JsonSchema, line: string])[] = [
  ["text", { type: "string", minLength: 1, pattern: '^a*/b\\d"`$' }, "text?: string;"],
  ["choice", { type: "string", enum: ["Small", "it's", ""] }, `choice?: "Small" | "it's" | "";`],
  ["nullableChoice", { type: "string", enum: ["a"], nullable: true }, 'nullableChoice?: "a";'],
  ["nullable", { type: "string", nullable: true, maxLength: 3 }, "nullable?: string | null;"],
  ["number", { type: "integer" }, "number?: number;"],
  ["numbers", { type: "integer", format: "int32", enum: [1, 2] }, "numbers?: 1 | 2;"],
  ["int32", { type: "integer", format: "int32", minimum: -1, exclusiveMinimum: true }, "int32?: Int32;"],
  ["int64", { type: "integer", format: "int64", maximum: 2 ** 63 }, "int64?: Int64;"],
  ["half", { type: "integer", minimum: 0.5 }, "half?: number;"],
  ["float", { type: "number", format: "double", multipleOf: 0.5 }, "float?: Float;"],
  ["parts", { type: "number", enum: [0.5, 1] }, "parts?: 0.5 | 1;"],
  ["whole", { type: "number", enum: [1, 2] }, "whole?: Float;"],
  ["on", { type: "boolean", enum: [true] }, "on?: true;"],
  ["time", { type: "string", format: "date-time" }, "time?: Time;"],
  ["bytes", { type: "string", format: "byte" }, "bytes?: Bytes;"],
  ["address", { type: "string", format: "ipv4", default: "0.0.0.0" }, "address?: string;"],
  ["either", either, "either?: IntOrString;"],
  ["limitedEither", { ...either, pattern: "^\\d+%$", default: "25%" }, "limitedEither?: IntOrString;"],
  ["quantity", { ...either, pattern }, "quantity?: Quantity;"],
  ["bareEither", { "x-kubernetes-int-or-string": true }, "bareEither?: IntOrString;"],
  ["noEither", { "x-kubernetes-int-or-string": true, nullable: true }, "noEither?: IntOrString | null;"],
  ["anything", any, "anything?: JSONValue;"],
  ["open", { type: "object", ...any }, "open?: RawExtension;"],
  ["object", { type: "object", ...any, "x-kubernetes-embedded-resource": true }, "object?: EmbeddedObject;"],
  ["empty", { type: "object" }, "empty?: {};"],
  [
    "map",
    { type: "object", additionalProperties: { type: "string" }, maxProperties: 3 },
    "map?: Record<string, string>;",
  ],
  [
    "atomicMap",
    { type: "object", additionalProperties: either, "x-kubernetes-map-type": "atomic" },
    "atomicMap?: Record<string, IntOrString>;",
  ],
  [
    "limitedValues",
    { type: "object", additionalProperties: { type: "string", maxLength: 9 } },
    "limitedValues?: Record<string, BoatSpecLimitedValuesValue>;",
  ],
  ["freeValues", { type: "object", additionalProperties: true }, "freeValues?: Record<string, JSONValue>;"],
  [
    "set",
    { type: "array", items: { type: "string", enum: ["a", "b"] }, "x-kubernetes-list-type": "set" },
    'set?: ("a" | "b")[];',
  ],
  [
    "limitedItems",
    { type: "array", minItems: 1, items: { type: "string", minLength: 1, nullable: true, default: "x" } },
    "limitedItems?: (BoatSpecLimitedItemsItem | null)[];",
  ],
  [
    "nested",
    { type: "array", items: { type: "array", items: { type: "integer" }, maxItems: 2 } },
    "nested?: BoatSpecNestedItem[];",
  ],
  [
    "crew",
    {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name", "deck"],
      items: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string" }, deck: { type: "integer", default: 1 } },
      },
    },
    "crew?: BoatSpecCrewItem[];",
  ],
  [
    "closed",
    { type: "object", properties: { a: { type: "string" } }, ...any, default: { a: "*/" } },
    "closed?: BoatSpecClosed;",
  ],
  [
    "union",
    {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    "union?: BoatSpecUnion;",
  ],
  [
    "excluded",
    { type: "string", not: { enum: ["x"] }, allOf: [{ maxLength: 4 }, { maxLength: 3 }] },
    "excluded?: string;",
  ],
  ["timeOrNone", { type: "string", format: "date-time", allOf: [{ minLength: 1 }] }, "timeOrNone?: string;"],
  ["$ref-2", { type: "boolean", default: false }, '"$ref-2"?: boolean;'],
  [
    "rules",
    {
      type: "string",
      "x-kubernetes-validations": [
        {
          rule: "self != '*/'\n&& self == oldSelf",
          message: 'no "end"',
          reason: "FieldValueForbidden",
          optionalOldSelf: true,
        },
        { rule: "self != ''", messageExpression: "'not ' + self" },
      ],
    },
    "rules?: string;",
  ],
  [
    "idleRule",
    { type: "string", "x-kubernetes-validations": [{ rule: "true", optionalOldSelf: true }] },
    "idleRule?: string;",
  ],
];

describe("the type of a field", () => {
  it.each(fields)("%s has the same schema again", async (name, schema, line) => {
    const crd = boatCrd({ type: "object", properties: { [name]: schema } });
    expect(textOf(crd)).toContain(`  ${line}\n`);
    expect(await changes(crd)).toEqual([]);
  });
});

describe("the types of a kind", () => {
  it("leave type and version to the client, as those of built-in kinds", () => {
    const head = [
      "export interface Boat {",
      '  apiVersion?: "sea.example.com/v1";',
      '  kind?: "Boat";',
      "  metadata: ObjectMeta;",
    ];
    expect(textOf(boatCrd({ type: "object" }))).toContain(head.join("\n"));
  });

  it("document fields, and hide what would be a marker, a tag or the end of the comment", async () => {
    const description = "First */ line.\n+optional is text\n@see this\n--- more\r\n\r\nlast";
    const crd = boatCrd({
      type: "object",
      properties: { a: { type: "string", description, default: "@a" } },
      required: ["a"],
    });
    expect(textOf(crd)).toContain(
      [
        "  /**",
        "   * First *\\/ line.",
        "   * \\+optional is text",
        "   * \\@see this",
        "   * \\--- more",
        "   *",
        "   * last",
        "   *",
        '   * +kubebuilder:default="@a"',
        "   *",
        '   * @defaultValue "\\u0040a"',
        "   */",
        "  a: string;",
      ].join("\n"),
    );
    expect(await changes(crd)).toEqual([]);
  });

  const marker = "kubebuilder:rbac:groups=*,resources=*,verbs=*";
  it.each([
    `+${marker}`,
    `  +${marker}`,
    `\t+${marker}`,
    `\u00a0+${marker}`,
    `\u2028+${marker}`,
    `a\r+${marker}`,
    `* +${marker}`,
    `+ ${marker}`,
    `+\t${marker}`,
    `+ kubebuider : rbac:groups=*`,
  ])("keep %j of a description as text", async (line) => {
    const description = `First line.\n${line}`;
    const crd = boatCrd({ type: "object", properties: { a: { type: "string", description } } });
    const disk = diskOf(crd, { own: true });
    const { plan, warnings } = await generate({ root: "/p", disk, version: "1.0.0", outputs: ["rbac"] });
    expect([plan.changes, warnings]).toEqual([[], []]);
  });

  it("document objects of lists and maps at their interface, from which the schema takes it", async () => {
    const port: JsonSchema = {
      type: "object",
      description: "Port is open.",
      properties: { number: { type: "integer" } },
    };
    const name: JsonSchema = { type: "string", description: "There is no place for this." };
    const properties: Record<string, JsonSchema> = {
      ports: { type: "array", items: port },
      named: { type: "object", additionalProperties: port },
      names: { type: "array", items: name },
    };
    const crd = boatCrd({ type: "object", properties });
    expect(textOf(crd)).toContain("/** Port is open. */\nexport interface BoatSpecPortsItem {");
    expect(textOf(crd)).not.toContain("no place");
    const { resources } = await loadProjectTypes({ root: "/p", disk: diskOf(crd, { own: true }), forCrds: false });
    const { ports, named } = resources[0]!.versions[0]!.schema.properties!["spec"]!.properties!;
    expect(ports?.items?.description).toBe("Port is open.");
    expect(named?.additionalProperties).toMatchObject({ description: "Port is open." });
  });

  it("are named after paths, also where two paths meet", () => {
    const nested: JsonSchema = { type: "object", properties: { c: { type: "string" } } };
    const a: JsonSchema = { type: "object", properties: { b: nested } };
    const text = textOf(boatCrd({ type: "object", properties: { a, aB: nested } }));
    expect(text.match(/interface \w+/g)).toEqual(
      ["Boat", "BoatSpec", "BoatSpecA", "BoatSpecAB", "BoatSpecAB2"].map((name) => `interface ${name}`),
    );
  });

  it("make the CustomResourceDefinition again, with all versions", async () => {
    const schema = { openAPIV3Schema: { type: "object" as const } };
    const [v1] = boatCrd(
      { type: "object" },
      {
        subresources: {
          status: {},
          scale: {
            specReplicasPath: ".spec.crew",
            statusReplicasPath: ".status.crew",
            labelSelectorPath: ".status.selector",
          },
        },
        additionalPrinterColumns: [
          {
            name: "Crew, all",
            type: "integer",
            jsonPath: '.status.crew[?(@.type=="a")]',
            priority: 1,
            description: "All of them",
          },
        ],
        selectableFields: [{ jsonPath: ".spec.color" }],
      },
    ).spec.versions;
    const old = {
      name: "v1alpha1",
      served: false,
      storage: false,
      deprecated: true,
      deprecationWarning: "use v1, please",
      schema,
    };
    const crd = boatCrd({});
    const whole = { ...crd, spec: { ...crd.spec, versions: [v1!, old] } };
    const { resources } = await loadProjectTypes({ root: "/p", disk: diskOf(whole, { own: true }), forCrds: false });
    const { spec } = JSON.parse(
      JSON.stringify(customResourceDefinition(resources[0]!, "1.0.0")),
    ) as CustomResourceDefinition;
    expect(spec.names).toEqual({ ...whole.spec.names, listKind: "BoatList", singular: "boat" });
    expect(spec.scope).toBe("Cluster");
    const withoutSchema = (versions: CustomResourceDefinition["spec"]["versions"]): object[] =>
      versions.map(({ schema: _schema, ...version }) => version);
    expect(withoutSchema(spec.versions)).toEqual(withoutSchema(whole.spec.versions));
  });

  it("have Kind constants, but no CustomResourceDefinition", async () => {
    const disk = diskOf(boatCrd({ type: "object", properties: { a: { type: "string" } } }));
    const { plan } = await generate({ root: "/p", disk, version: "1.0.0", outputs: ["crd", "kinds"] });
    expect(plan.changes.map(({ path }) => path)).toEqual(["api/v1/zz_generated.kinds.ts"]);
    expect(JSON.stringify(plan.changes)).toContain("export function isBoat");
  });
});

function textOf(crd: CustomResourceDefinition): string {
  return typesFromCrd(crd, "api").find(({ path }) => path.endsWith("boat_types.ts"))!.text;
}

/** A project with the types; `own` makes the kinds its own. */
function diskOf(crd: CustomResourceDefinition, { own = false } = {}): MemoryDisk {
  const files = typesFromCrd(crd, "api").map(({ path, text }) => [
    `/p/${path}`,
    own ? text.replace("// +tsop:external\n", "") : text,
  ]);
  return memoryDisk(Object.fromEntries(files) as Record<string, string>);
}

async function changes(crd: CustomResourceDefinition): Promise<unknown[]> {
  const { resources } = await loadProjectTypes({ root: "/p", disk: diskOf(crd, { own: true }), forCrds: false });
  return compareSchemas(crd.spec.versions[0]!.schema!.openAPIV3Schema!, resources[0]!.versions[0]!.schema);
}
