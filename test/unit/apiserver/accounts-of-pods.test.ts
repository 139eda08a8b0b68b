import { expect, it } from "vitest";
import { asker } from "./ask.ts";

const namespace = "/api/v1/namespaces/default";
const accounts = `${namespace}/serviceaccounts`;
const pod = (metadata: object, spec: object = {}) => ({
  metadata,
  spec: { containers: [{ name: "c", image: "i" }], ...spec },
});

// The texts and fields are those of a real server whose controllers run.
it("gives a pod its account and the pull secrets of the account", async () => {
  const server = asker({ accounts: true });
  const first = await server.ask("POST", `${namespace}/pods`, pod({ name: "early" }));
  expect(first.body).toMatchObject({ spec: { serviceAccountName: "default", serviceAccount: "default" } });

  await server.ask("POST", accounts, { metadata: { name: "robot" }, imagePullSecrets: [{ name: "registry" }] });
  const robot = { serviceAccountName: "robot" };
  const second = await server.ask("POST", `${namespace}/pods`, pod({ name: "a" }, robot));
  expect(second.body).toMatchObject({ spec: { ...robot, imagePullSecrets: [{ name: "registry" }] } });
  const own = { ...robot, imagePullSecrets: [{ name: "own" }] };
  const third = await server.ask("POST", `${namespace}/pods`, pod({ name: "b" }, own));
  expect(third.body).toMatchObject({ spec: own });
});

it.each([
  [{ name: "a" }, "a"],
  [{ generateName: "a-" }, "a-"],
])("refuses the pod %j of an unknown account", async (metadata, name) => {
  const server = asker({ accounts: true });
  const body = pod(metadata, { serviceAccountName: "robot" });
  expect(await server.ask("POST", `${namespace}/pods`, body)).toMatchObject({
    status: 403,
    body: {
      reason: "Forbidden",
      message: `pods "${name}" is forbidden: error looking up service account default/robot: serviceaccount "robot" not found`,
    },
  });
});

it("leaves pods as they are without the controllers that make accounts, as envtest does", async () => {
  const server = asker();
  const { status, body } = await server.ask(
    "POST",
    `${namespace}/pods`,
    pod({ name: "a" }, { serviceAccountName: "robot" }),
  );
  expect(status).toBe(201);
  expect((await server.ask("POST", `${namespace}/pods`, pod({ name: "b" }))).body).not.toHaveProperty(
    "spec.serviceAccount",
  );
  expect(body).toMatchObject({ spec: { serviceAccount: "robot" } });
});
