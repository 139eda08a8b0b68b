import type { RequestStep, Scenarios } from "../../scenario.ts";
import { reasons, volumes } from "../../steps.ts";
import { POST } from "../../requests.ts";

const disk = (spec: object): RequestStep =>
  POST(
    `${volumes}?dryRun=All`,
    {
      metadata: { name: "{ns}" },
      spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], ...spec },
    },
    { pick: ({ spec, ...rest }: any) => reasons(rest) ?? spec },
  );

export const scenarios: Scenarios = {
  "volumes-of-clusters": [
    ...[
      {},
      { capacity: {} },
      { capacity: { cpu: "1" } },
      { capacity: { storage: "0" } },
      { accessModes: [] },
      { accessModes: ["x"] },
      { accessModes: ["ReadWriteOncePod", "ReadWriteOnce"] },
      { persistentVolumeReclaimPolicy: "x" },
      { storageClassName: "A b" },
      { volumeMode: "x" },
      { nfs: { server: "s", path: "/p" } },
    ].map((spec) => disk({ hostPath: { path: "/data" }, ...spec })),
    disk({}),
  ],
};
