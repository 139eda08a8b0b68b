import { customKind, schemaOf } from "../../custom-kind.ts";
import { apply, jsonPatch, merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { GET, PATCH, POST } from "../../requests.ts";
import { words } from "../../steps.ts";

const any = { "x-kubernetes-preserve-unknown-fields": true };
const number = { type: "number" };
const limited = {
  most: { ...number, maximum: 0.5 },
  below: { ...number, maximum: 2.5e7, exclusiveMaximum: true },
  least: { ...number, minimum: 1e21 },
  above: { ...number, minimum: 1e7, exclusiveMinimum: true },
  huge: { ...number, maximum: 1e21 },
  step: { ...number, multipleOf: 2.5e6 },
  half: { ...number, multipleOf: 0.5 },
  tenth: { ...number, multipleOf: 0.1 },
  one: { ...number, enum: [0.00001, 1e20, 7] },
};
const kind = customKind("number-text", { schema: { openAPIV3Schema: schemaOf({ any, ...limited }) } });
const json = words(`
  1e20  1E20  1.0e20  123456789e12  1e21  1.5e21  100000000000000000000  1000000000000000000000  9223372036854775808
  123456789012345  9007199254740992  1e-6  0.000001  1e-7  0.00000012  1.10  1.0  0.1  -0  -0.0  -1e20  5e-324
  1.7976931348623157e308
`);

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

export const scenarios: Scenarios = {
  "number-text": [
    ...kind.install,
    step({ request: create, body: whole }),
    ...yaml.map((text) => step({ request: create, headers: yamlType, body: yamlOf(text) })),
    ...yaml.map((text) => step(PATCH(`${kind.path}/a?dryRun=All&fieldManager=me`, apply, yamlOf(text)))),
    POST(kind.path, kind.object("b"), { unrecorded: true }),
    step(PATCH(`${kind.path}/b`, merge, `{"spec":{"any":[${json.join(",")}]}}`)),
    ...json.map((text) =>
      step(PATCH(`${kind.path}/b?dryRun=All`, jsonPatch, `[{"op":"replace","path":"/spec/any","value":[${text}]}]`)),
    ),
    step(GET(`${kind.path}/b`)),
    ...Object.keys(limited).flatMap((field) =>
      ["1e-5", "0.3", "-0.3", "3", "1000001", "1234567.5", "25000000", "1e20", "-1e21"].map((text) => ({
        request: create,
        body: JSON.stringify(kind.object("a", { spec: { [field]: "NUMBER" } })).replace('"NUMBER"', text),
        pick: ({ message }: any): unknown => message ?? null,
      })),
    ),
  ],
};
