import type { Scenarios } from "../../scenario.ts";
import { apps, patch, post } from "../../steps.ts";
import {
  container,
  newImage,
  ofTemplates,
  other,
  rolling,
  selected,
  strategies,
  template,
  tried,
} from "../../tried-values.ts";

const claim = (metadata: object, storage = "1Gi"): object => ({
  metadata,
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
});
const claims = (...volumeClaimTemplates: object[]): object => ({ volumeClaimTemplates });

const sets = `${apps}/statefulsets`;
/** The spec of a set with the claim template `d`, and more fields of its container and its pods. */
const claiming = (fields: object = {}, pods: object = {}): object => ({
  ...selected,
  template: template({ containers: [{ ...container, ...fields }], ...pods }),
  serviceName: "s",
  ...claims(claim({ name: "d" })),
});

export const scenarios: Scenarios = {
  "values-stateful-sets": tried({
    path: sets,
    spec: { ...selected, serviceName: "x", ...claims(claim({ name: "a" })) },
    wished: [
      ...ofTemplates,
      { podManagementPolicy: "x" },
      { podManagementPolicy: "" },
      ...strategies({ type: "x" }, { type: "OnDelete", ...rolling({ partition: 1 }) }),
      ...strategies({ type: "OnDelete" }, rolling({ partition: -1 })),
      ...strategies({ type: "RollingUpdate" }),
      { serviceName: "A" },
      { ordinals: { start: -1 } },
      { persistentVolumeClaimRetentionPolicy: { whenScaled: "x", whenDeleted: "" } },
      claims({}),
      claims(claim({})),
      claims(claim({ name: "a" }), claim({ name: "a" })),
      claims(claim({ name: "A b" })),
    ],
    changes: [
      { replicas: -1 },
      { serviceName: "y", podManagementPolicy: "Parallel" },
      { serviceName: null },
      other,
      claims(claim({ name: "a" }, "2Gi")),
      { volumeClaimTemplates: null },
      newImage,
      ...strategies({ type: "OnDelete", rollingUpdate: null }),
      { revisionHistoryLimit: 3, ordinals: { start: 2 }, minReadySeconds: 5 },
    ],
  }),
  "claim-templates": [
    post(sets, "a", claiming({ volumeMounts: [{ name: "d", mountPath: "/d" }] })),
    post(sets, "b", claiming({ volumeMounts: [{ name: "e", mountPath: "/e" }] })),
    post(
      sets,
      "b",
      claiming(
        { volumeMounts: [{ name: "d", mountPath: "/d" }] },
        { hostname: "A_", subdomain: "B_", volumes: ["d", "E_"].map((name) => ({ name, emptyDir: {} })) },
      ),
    ),
    post(sets, "b", { ...claiming(), ...claims({ metadata: { name: "d" }, spec: {} }) }),
    patch(`${sets}/a`, {
      spec: { template: { spec: { hostname: "A_", containers: [{ ...container, image: "i:2" }] } } },
    }),
  ],
};
