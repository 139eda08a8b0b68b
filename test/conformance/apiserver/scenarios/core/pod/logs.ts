import type { Scenario } from "../../../scenario.ts";
import { pods } from "../../../steps.ts";

export const scenarios: readonly Scenario[] = [
  {
    name: "logs",
    steps: [
      {
        request: `POST ${pods}`,
        body: {
          metadata: { name: "two" },
          spec: {
            initContainers: [{ name: "first", image: "i" }],
            containers: [
              { name: "a", image: "i" },
              { name: "b", image: "i" },
            ],
          },
        },
        unrecorded: true,
      },
      { request: `GET ${pods}/two/log` },
      { request: `GET ${pods}/two/log?container=none` },
      { request: `GET ${pods}/two/log?container=b` },
      { request: `GET ${pods}/two/log?container=first` },
      { request: `GET ${pods}/two/log?container=b&tailLines=-1` },
      { request: `GET ${pods}/two/log?container=b&sinceSeconds=0` },
      { request: `GET ${pods}/two/log?container=b&limitBytes=0` },
      { request: `GET ${pods}/none/log` },
    ],
  },
];
