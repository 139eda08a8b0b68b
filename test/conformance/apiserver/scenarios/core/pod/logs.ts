import type { Scenarios } from "../../../scenario.ts";
import { pods } from "../../../steps.ts";
import { GET, POST } from "../../../requests.ts";

export const scenarios: Scenarios = {
  logs: [
    POST(
      pods,
      {
        metadata: { name: "two" },
        spec: {
          initContainers: [{ name: "first", image: "i" }],
          containers: [
            { name: "a", image: "i" },
            { name: "b", image: "i" },
          ],
        },
      },
      { unrecorded: true },
    ),
    GET(`${pods}/two/log`),
    GET(`${pods}/two/log?container=none`),
    GET(`${pods}/two/log?container=b`),
    GET(`${pods}/two/log?container=first`),
    GET(`${pods}/two/log?container=b&tailLines=-1`),
    GET(`${pods}/two/log?container=b&sinceSeconds=0`),
    GET(`${pods}/two/log?container=b&limitBytes=0`),
    GET(`${pods}/none/log`),
  ],
};
