import { customKind } from "../../custom-kind.ts";
import type { Scenarios } from "../../scenario.ts";
import { GET, POST } from "../../requests.ts";

const types = ["string", "integer", "number", "boolean", "date"];
const kind = customKind("column-values", {
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    },
  },
  additionalPrinterColumns: [
    ...types.map((type) => ({ name: type, type, jsonPath: ".spec.v" })),
    ...types.map((type) => ({ name: `each-${type}`, type, jsonPath: ".spec.v[*]" })),
    { name: "inner", type: "string", jsonPath: ".spec.v[*].a" },
  ],
});

/** The values as JSON text, whose numbers may be integers or floats. */
const values = [
  '"text"',
  '""',
  '"7"',
  '"2999-01-02T03:04:05Z"',
  '"2020-01-02"',
  '"2020-01-02 03:04:05"',
  "true",
  "false",
  "null",
  "0",
  "-0.0",
  "7",
  "1000000",
  "21000000",
  "9007199254740992",
  "-123456789",
  "1.5",
  "-1.5",
  "2.5e6",
  "1234567.5",
  "123456.5",
  "20999999.5",
  "21000000.5",
  "0.0001",
  "0.00001",
  "1e-7",
  "1e20",
  "1e21",
  "-1e20",
  "1e300",
  "0.1",
  "{}",
  "[]",
  '{"b":1,"a":"<x>&\u2028","c":1.5e6,"d":1e20}',
  '[1,2.5e6,"x",null,true]',
  '["a","b"]',
  "[1.5,2]",
  "[null]",
  "[true]",
  '["2999-01-02T03:04:05Z"]',
  '[{"a":1},{"a":"b"},{"a":null},{}]',
  "[[1,2],[3]]",
  '{"9":1,"10":2,"a":3}',
];

const tables = { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };
const cells = ({ rows, message }: any): unknown => rows?.map((row: any) => row.cells) ?? message;

export const scenarios: Scenarios = {
  "column-values": [
    ...kind.install,
    ...values.map((value, index) =>
      POST(kind.path, JSON.stringify(kind.object(`v${index}`, { spec: { v: "VALUE" } })).replace('"VALUE"', value), {
        unrecorded: true,
      }),
    ),
    ...values.map((_, index) => GET(`${kind.path}/v${index}`, { headers: tables, pick: cells })),
  ],
};
