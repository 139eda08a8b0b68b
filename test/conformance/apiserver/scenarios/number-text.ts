import { customKind, schemaOf } from "../custom-kind.ts";
import { apply, jsonPatch, merge, type RequestStep, type Scenario } from "../scenario.ts";

const any = { "x-kubernetes-preserve-unknown-fields": true };
const kind = customKind("number-text", { schema: { openAPIV3Schema: schemaOf({ any }) } });

const json = [
  "1e20",
  "1E20",
  "1.0e20",
  "123456789e12",
  "1e21",
  "1.5e21",
  "100000000000000000000",
  "1000000000000000000000",
  "9223372036854775808",
  "123456789012345",
  "9007199254740992",
  "1e-6",
  "0.000001",
  "1e-7",
  "0.00000012",
  "1.10",
  "1.0",
  "0.1",
  "-0",
  "-0.0",
  "-1e20",
  "5e-324",
  "1.7976931348623157e308",
];

/** Spellings that only YAML has. */
const yaml = [...json, "+5", ".5", "5.", "1e3", "1e+3", "0x10", "0o10", "010", "0b11", "1_000", "1_0.5", "1:30", "~"];

const yamlOf = (text: string): string =>
  `apiVersion: ${kind.object("a").apiVersion}\nkind: Thing\nmetadata:\n  name: a\nspec:\n  any: [${text}]\n`;

/** The spec as the server writes it, which parsing would change; of a refusal the message. */
const written = (body: string): unknown =>
  /"spec":(\{.*\})\}\s*$/s.exec(body)?.[1] ?? (JSON.parse(body) as { message: string }).message;
const step = (request: Omit<RequestStep, "raw" | "pick">): RequestStep => ({ ...request, raw: true, pick: written });
const whole = JSON.stringify(kind.object("a", { spec: { any: "NUMBERS" } })).replace(
  '"NUMBERS"',
  `[${json.join(",")}]`,
);
const create = `POST ${kind.path}?dryRun=All&fieldValidation=Ignore`;
const yamlType = { "content-type": "application/yaml" };

export const numberTextScenarios: readonly Scenario[] = [
  {
    name: "number-text",
    steps: [
      ...kind.install,
      step({ request: create, body: whole }),
      ...yaml.map((text) => step({ request: create, headers: yamlType, body: yamlOf(text) })),
      ...yaml.map((text) =>
        step({ request: `PATCH ${kind.path}/a?dryRun=All&fieldManager=me`, headers: apply, body: yamlOf(text) }),
      ),
      { request: `POST ${kind.path}`, body: kind.object("b"), unrecorded: true },
      step({ request: `PATCH ${kind.path}/b`, headers: merge, body: `{"spec":{"any":[${json.join(",")}]}}` }),
      ...json.map((text) =>
        step({
          request: `PATCH ${kind.path}/b?dryRun=All`,
          headers: jsonPatch,
          body: `[{"op":"replace","path":"/spec/any","value":[${text}]}]`,
        }),
      ),
      step({ request: `GET ${kind.path}/b` }),
    ],
  },
];
