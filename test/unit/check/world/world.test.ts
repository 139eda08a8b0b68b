import { expect, it, onTestFinished, vi } from "vitest";
import { World } from "../../../../src/check/world/world.ts";
import { patience } from "../../../patience.ts";

const script = 'console.log(require("fs").readFileSync(process.env.KUBECONFIG, "utf8").match(/namespace: (.*)/)[1]);';

it.each([
  [
    "the namespace of its account, which has the role for its Lease",
    { namespace: "demo-system", name: "robot" },
    "demo-system",
  ],
  ["the default namespace without roles", undefined, "default"],
])("gives the operator %s", async (_, account, expected) => {
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "demo-system" } };
  const world = new World({
    command: { file: process.execPath, args: ["-e", script], cwd: ".", env: process.env },
    crds: [],
    before: [{ file: "namespace.yaml", object: namespace }],
    account,
  });
  onTestFinished(() => world.close());
  await world.open();
  world.startOperator();
  await vi.waitFor(() => expect(world.lastLines).toEqual([expected]), patience);
});
