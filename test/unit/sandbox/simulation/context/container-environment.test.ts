import { describe, expect, it } from "vitest";
import { containerEnvironment } from "../../../../../src/sandbox/simulation/context/container-environment.ts";

const objects: Record<string, Record<string, string>> = {
  "Secret login": { user: "ann", password: "p$(user)" },
  "ConfigMap settings": { level: "debug", user: "from the map" },
};

function environmentOf(container: object) {
  const metadata = { name: "operator-1", namespace: "team" };
  const pod = { metadata, spec: { containers: [{ name: "manager", ...container }] } };
  return containerEnvironment(pod, container, async ({ kind, name }) => {
    const texts = objects[`${kind} ${name}`];
    return texts && { texts, keys: Object.keys(texts) };
  });
}

describe("the environment of a container", () => {
  it("has the data of Secrets and ConfigMaps, and its own variables last", async () => {
    const found = await environmentOf({
      envFrom: [
        { configMapRef: { name: "settings" } },
        { prefix: "LOGIN_", secretRef: { name: "login" } },
        { secretRef: { name: "absent", optional: true } },
      ],
      env: [
        { name: "USER", valueFrom: { secretKeyRef: { name: "login", key: "user" } } },
        { name: "NONE", valueFrom: { configMapKeyRef: { name: "settings", key: "absent", optional: true } } },
        { name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
        { name: "GREETING", value: "hello $(USER) $$(USER) $(ABSENT)" },
        { name: "level", value: "info" },
      ],
    });
    expect(found).toEqual({
      variables: {
        HOSTNAME: "operator-1",
        level: "info",
        user: "from the map",
        LOGIN_user: "ann",
        LOGIN_password: "p$(user)",
        USER: "ann",
        POD: "operator-1",
        GREETING: "hello ann $(USER) $(ABSENT)",
      },
    });
  });

  it.each([
    [{ envFrom: [{ secretRef: { name: "absent" } }] }, 'secret "absent" not found'],
    [{ envFrom: [{ configMapRef: { name: "absent" } }] }, 'configmap "absent" not found'],
    [
      { env: [{ name: "A", valueFrom: { secretKeyRef: { name: "login", key: "token" } } }] },
      "couldn't find key token in Secret team/login",
    ],
  ])("is missing what the kubelet would miss: %j", async (container, message) => {
    expect(await environmentOf(container)).toMatchObject({ missing: message });
  });
});
