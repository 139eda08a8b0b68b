import { brief, change, condition, create, gone, remove, settles, templateOf } from "../../controller-steps.ts";
import type { Scenarios } from "../../scenario.ts";
import { claims, core, volumes } from "../../steps.ts";

const claim = (name: string, spec: object) => ({
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
});
const volume = (name: string, spec: object) => ({
  metadata: { name },
  spec: {
    accessModes: ["ReadWriteOnce"],
    capacity: { storage: "2Gi" },
    hostPath: { path: "/data" },
    storageClassName: "{ns}",
    ...spec,
  },
});
const ofVolume = (object: any): object => {
  const { resourceVersion: _, ...claimRef } = object.spec.claimRef ?? {};
  return { ...brief(object), claimRef, policy: object.spec.persistentVolumeReclaimPolicy };
};
const ofClaim = (object: any): object => {
  // Whether it is unused is known a while after it is bound.
  const { conditions: _, ...status } = object.status;
  return { ...brief({ ...object, status }), volumeName: object.spec.volumeName };
};
const isUnused = (wanted: "True" | "False") => (object: any) => condition(object, "Unused")?.status === wanted;
const phase = (wanted: string) => (object: any) => object.status.phase === wanted;
const user = {
  metadata: { name: "user" },
  spec: { ...(templateOf("a") as any).spec, volumes: [{ name: "v", persistentVolumeClaim: { claimName: "a" } }] },
};

export const scenarios: Scenarios = {
  "controllers-volumes": [
    create(claims, claim("a", { storageClassName: "{ns}" })),
    settles(`${claims}/a`, ({ metadata }) => metadata.finalizers, { pick: ofClaim }),
    create(volumes, volume("{ns}", {})),
    settles(`${claims}/a`, phase("Bound"), { pick: ofClaim }),
    settles(`${volumes}/{ns}`, phase("Bound"), { pick: ofVolume }),
    create(`${core}/pods`, user),
    settles(`${core}/pods/user`, phase("Running"), { unrecorded: true }),
    remove(`${claims}/a`),
    settles(`${claims}/a`, ({ metadata }) => metadata.deletionTimestamp, { pick: ofClaim }),
    remove(`${volumes}/{ns}`),
    settles(`${volumes}/{ns}`, ({ metadata }) => metadata.deletionTimestamp, { pick: ofVolume }),
    remove(`${core}/pods/user`),
    gone(`${claims}/a`),
    gone(`${volumes}/{ns}`),
  ],
  "controllers-volumes-unused": {
    since: "1.37",
    steps: [
      create(volumes, volume("{ns}", {})),
      create(claims, claim("a", { storageClassName: "{ns}" })),
      settles(`${claims}/a`, isUnused("True"), { pick: brief }),
      create(`${core}/pods`, user),
      settles(`${claims}/a`, isUnused("False"), { pick: brief }),
      remove(`${core}/pods/user`),
      settles(`${claims}/a`, isUnused("True"), { pick: brief }),
      remove(`${claims}/a`),
      remove(`${volumes}/{ns}`),
      gone(`${volumes}/{ns}`),
    ],
  },
  "controllers-volumes-released": [
    create(volumes, volume("{ns}", {})),
    settles(`${volumes}/{ns}`, phase("Available"), { pick: ofVolume }),
    create(claims, claim("a", { storageClassName: "{ns}", volumeName: "{ns}" })),
    settles(`${claims}/a`, phase("Bound"), { pick: ofClaim }),
    settles(`${volumes}/{ns}`, phase("Bound"), { pick: ofVolume }),
    remove(`${claims}/a`),
    gone(`${claims}/a`),
    settles(`${volumes}/{ns}`, phase("Released"), { pick: ofVolume }),
    change(`${volumes}/{ns}`, { spec: { claimRef: null } }),
    settles(`${volumes}/{ns}`, phase("Available"), { pick: ofVolume }),
    remove(`${volumes}/{ns}`),
    gone(`${volumes}/{ns}`),
  ],
};
