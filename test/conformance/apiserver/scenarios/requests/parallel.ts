import { customKind } from "../../custom-kind.ts";
import { merge, type Scenarios } from "../../scenario.ts";
import { GET, PATCH, POST } from "../../requests.ts";

const parallel = customKind("parallel");

export const scenarios: Scenarios = {
  parallel: [
    ...parallel.install,
    POST(parallel.path, parallel.object("a", { spec: { x: "0" } }), { unrecorded: true }),
    PATCH(`${parallel.path}/a`, merge, { metadata: { labels: { a: "b" } } }, { parallel: 20 }),
    GET(`${parallel.path}/a`),
  ],
};
