import { merge, type RequestStep, type Scenarios } from "../../scenario.ts";
import { maps } from "../../steps.ts";
import { PATCH, POST } from "../../requests.ts";

const create = (name: string, fields: object): RequestStep => POST(maps, { metadata: { name }, ...fields });
const change = (body: object): RequestStep => PATCH(`${maps}/a`, merge, body);

export const scenarios: Scenarios = {
  "config-maps": [
    create("a", { data: { a: "b" }, immutable: true }),
    change({ data: { a: "c" } }),
    change({ immutable: null }),
    change({ metadata: { labels: { a: "b" } } }),
    create("b", { data: { "bad key": "b" } }),
    create("b", { data: { a: "b" }, binaryData: { a: "", "a b": "" } }),
    ...["a", "YQ", "!", "", null, 5].map((b) => create("b", { binaryData: { b } })),
  ],
};
