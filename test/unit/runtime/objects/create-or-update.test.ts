import { describe, expect, it } from "vitest";
import { Deployment } from "../../../../src/k8s/apps/v1.ts";
import { ConfigMap } from "../../../../src/k8s/core/v1.ts";
import { createOrPatch, createOrUpdate } from "../../../../src/runtime/objects/create-or-update.ts";
import { embeddedClient } from "../embedded-client.ts";

const start: ConfigMap = { metadata: { namespace: "default", name: "a" } };

function deployment(): Deployment {
  const labels = { app: "a" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } };
  return { metadata: { namespace: "default", name: "a" }, spec: { selector: { matchLabels: labels }, template } };
}

describe("createOrUpdate", () => {
  it("creates a missing object, updates a different one, and skips an equal one", async () => {
    const { client, requests } = embeddedClient();
    const setColor = (color: string) => (object: ConfigMap) => {
      object.data = { ...object.data, color };
    };
    const created = await createOrUpdate(client, ConfigMap, start, setColor("red"));
    expect([created.operation, created.object.data]).toEqual(["created", { color: "red" }]);
    expect((await createOrUpdate(client, ConfigMap, start, setColor("red"))).operation).toBe("unchanged");
    const updated = await createOrUpdate(client, ConfigMap, start, setColor("blue"));
    expect([updated.operation, updated.object.data]).toEqual(["updated", { color: "blue" }]);
    expect(requests.map((request) => request.split(" ")[0])).toEqual(["GET", "POST", "GET", "GET", "PUT"]);
    expect(start).toEqual({ metadata: { namespace: "default", name: "a" } });
  });

  it.each([createOrUpdate, createOrPatch])("rejects a mutate function that changes the identity", async (write) => {
    const { client } = embeddedClient();
    const rename = (object: ConfigMap): void => {
      object.metadata.name = "b";
    };
    await expect(write(client, ConfigMap, start, rename)).rejects.toMatchObject({ code: "TSOP_MUTATE_CHANGED_KEY" });
    const move = (object: ConfigMap): void => {
      object.metadata.namespace = "kube-system";
    };
    await expect(write(client, ConfigMap, start, move)).rejects.toMatchObject({ code: "TSOP_MUTATE_CHANGED_KEY" });
  });
});

describe("createOrPatch", () => {
  it("patches the object and its status separately, only if changed", async () => {
    const { client, requests } = embeddedClient();
    const patch = (mutate: (object: Deployment) => void) => createOrPatch(client, Deployment, deployment(), mutate);
    expect((await patch(() => undefined)).operation).toBe("created");
    expect((await patch(() => undefined)).operation).toBe("unchanged");
    expect((await patch((object) => (object.spec["replicas"] = 3))).operation).toBe("updated");
    const status = await patch((object) => (object.status = { replicas: 2 }));
    expect([status.operation, status.object.status]).toEqual(["updatedStatusOnly", { replicas: 2 }]);
    const both = await patch((object) => {
      object.spec["replicas"] = 4;
      object.status = { replicas: 3 };
    });
    expect(both.operation).toBe("updatedStatus");
    expect(both.object).toMatchObject({ spec: { replicas: 4 }, status: { replicas: 3 } });
    const patches = requests
      .filter((request) => request.startsWith("PATCH"))
      .map((request) => request.endsWith("/status"));
    expect(patches).toEqual([false, true, false, true]);
  });
});
