import { describe, expect, it } from "vitest";
import { defineKind } from "../../../../src/apimachinery/kind.ts";
import { applyStrategicMerge } from "../../../../src/runtime/objects/apply-strategic-merge.ts";
import { Deployment } from "../../../../src/k8s/apps/v1.ts";
import { PodTemplate } from "../../../../src/k8s/core/v1.ts";

const wanted = {
  metadata: { name: "memcached", labels: { app: "memcached" } },
  spec: {
    selector: { matchLabels: { app: "memcached" } },
    template: {
      spec: {
        containers: [
          { name: "memcached", image: "memcached:1.6", env: [{ name: "LOG", value: "1" }], args: ["-m", "64"] },
          { name: "exporter", image: "exporter:1" },
        ],
      },
    },
  },
};

describe("applyStrategicMerge", () => {
  it("merges containers and variables by their names, replaces other lists, and changes neither argument", async () => {
    const overrides = {
      metadata: { labels: { team: "cache" } },
      spec: {
        template: {
          spec: {
            containers: [{ name: "memcached", env: [{ name: "TZ", value: "UTC" }], args: ["-m", "128"] }],
            tolerations: [{ key: "dedicated", operator: "Exists" }],
          },
        },
      },
    };
    const before = structuredClone([wanted, overrides]);
    const merged = await applyStrategicMerge(Deployment, wanted, overrides);
    expect(merged.metadata.labels).toEqual({ app: "memcached", team: "cache" });
    const { containers, tolerations } = merged.spec.template.spec!;
    const env = [
      { name: "TZ", value: "UTC" },
      { name: "LOG", value: "1" },
    ];
    expect(containers).toEqual([
      { name: "memcached", image: "memcached:1.6", env, args: ["-m", "128"] },
      { name: "exporter", image: "exporter:1" },
    ]);
    tolerations![0]!.key = "other";
    expect([wanted, overrides]).toEqual(before);
  });

  it("follows directives, and removes them from the result", async () => {
    const containers = [
      { $patch: "delete", name: "exporter" },
      { name: "sidecar", image: "sidecar:1", securityContext: { $patch: "replace", privileged: false } },
    ];
    const merged = await applyStrategicMerge(Deployment, wanted, { spec: { template: { spec: { containers } } } });
    expect(merged.spec.template.spec!.containers).toEqual([
      { name: "sidecar", image: "sidecar:1", securityContext: { privileged: false } },
      wanted.spec.template.spec.containers[0],
    ]);
  });

  it("merges a template of pods in a PodTemplate", async () => {
    const template = {
      spec: { nodeSelector: { disk: "ssd" }, containers: [{ name: "exporter", image: "exporter:2" }] },
    };
    const merged = await applyStrategicMerge(
      PodTemplate,
      { metadata: {}, template: wanted.spec.template },
      { template },
    );
    expect(merged.template).toMatchObject({
      spec: { nodeSelector: { disk: "ssd" }, containers: [{ image: "memcached:1.6" }, { image: "exporter:2" }] },
    });
  });

  it("rejects a kind that is not built in", async () => {
    const Memcached = defineKind({
      group: "cache.example.com",
      version: "v1",
      kind: "Memcached",
      plural: "memcacheds",
    });
    await expect(applyStrategicMerge(Memcached, { metadata: {} }, {})).rejects.toThrow(
      "Memcached of cache.example.com/v1 is not a built-in kind",
    );
  });
});
