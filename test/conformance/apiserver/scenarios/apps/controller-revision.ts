import type { RequestStep, Scenarios } from "../../scenario.ts";
import { apps, patch } from "../../steps.ts";
import { POST } from "../../requests.ts";

const create = (name: string, fields: object): RequestStep =>
  POST(`${apps}/controllerrevisions`, { metadata: { name }, ...fields });

export const scenarios: Scenarios = {
  "controller-revisions": [
    create("a", { revision: 1, data: { x: { y: 1 } } }),
    patch(`${apps}/controllerrevisions/a`, { data: { x: 2 } }),
    patch(`${apps}/controllerrevisions/a`, { revision: 2 }),
  ],
};
