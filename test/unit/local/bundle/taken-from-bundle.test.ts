import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { takeFromBundle } from "../../../../src/local/bundle/taken-from-bundle.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const root = temporaryFolder();
mkdirSync(join(root, "config/manager"), { recursive: true });
writeFileSync(
  join(root, "config/manager/manager.yaml"),
  `spec:
  containers:
  - args:
    - --leader-elect
    - --size=3
    env:
    - name: MEMCACHED_IMAGE
      value: memcached:1.6
    - name: NODE_OPTIONS
      value: --max-semi-space-size=4
    - name: HOME
      value: /tmp
    - name: PATH
      value: /bin
`,
);

it("takes the variables that OLM sets or the project names, and none that loads code", async () => {
  const taken = {
    HOSTNAME: "pod",
    MEMCACHED_IMAGE: "memcached:1.7",
    OPERATOR_CONDITION_NAME: "op.v1",
    RELATED_IMAGE_DB: "db",
  };
  const ignored = [
    "OPENSSL_CONF",
    "NODE_OPTIONS",
    "NODE_EXTRA_CA_CERTS",
    "LD_PRELOAD",
    "SSL_CERT_FILE",
    "HTTPS_PROXY",
    "HOME",
    "Path",
    "TSOP_REPORT_FD",
  ];
  const variables = { ...taken, ...Object.fromEntries(ignored.map((name) => [name, "./vb/evil"])) };
  expect(await takeFromBundle(root, variables, [])).toEqual({ variables: taken, args: [], ignored });
});

it.each([
  [["--leader-elect", "--size", "4", "--zap-log-level=debug"], []],
  [["--kubeconfig=./vb/kc"], ["--kubeconfig"]],
  [
    ["--kubeconfig", "../prod/.tsop/kubeconfig"],
    ["--kubeconfig", "../prod/.tsop/kubeconfig"],
  ],
  [["-context=prod"], ["-context"]],
  [
    ["--import", "./vb/evil.mjs"],
    ["--import", "./vb/evil.mjs"],
  ],
  [["--pprof-bind-address=:0", "--metrics-bind-address", ":8443"], []],
])("of the arguments %j, ignores %j", async (args, ignored) => {
  const taken = await takeFromBundle(root, {}, args);
  expect(taken.args).toEqual(args.includes("--leader-elect") ? args : []);
  expect(taken.ignored).toEqual(ignored);
});
