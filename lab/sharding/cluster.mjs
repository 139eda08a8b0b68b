// A server, embedded or real, with the sharder's CRD and a ring of Secrets that control ConfigMaps.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, defineKind } from "../../dist/index.js";
import { Secret } from "../../dist/k8s/core/v1.js";
import { TestEnvironment } from "../../dist/testing/index.js";
import { startEmbedded } from "../bench/measured-servers.mjs";
import { sleep } from "./ring.mjs";

export const ring = "proof";
export const namespace = "default";

/** Starts the server, and returns its client and what other programs need. */
export async function startCluster({ api, folder, crds }) {
  const assets = process.env.KUBEBUILDER_ASSETS;
  if (api === "real" && !assets) throw new Error("KUBEBUILDER_ASSETS must name the folder of kube-apiserver");
  const kubeconfig = join(folder, "kubeconfig");
  let config;
  let stop;
  let cpuSeconds;
  if (api === "real") {
    const environment = new TestEnvironment({ binaryAssetsDirectory: assets, startTimeoutMs: 120_000 });
    await environment.start();
    writeFileSync(kubeconfig, environment.kubeconfig);
    ({ config } = environment);
    stop = () => environment.stop();
  } else {
    const server = await startEmbedded(join(folder, "server"));
    writeFileSync(kubeconfig, readFileSync(join(folder, "server-kubeconfig")));
    config = { ...server.access, namespace };
    ({ stop, cpuSeconds } = server);
  }
  const client = createClient({ config });
  const kubectl = (...args) =>
    execFileSync("kubectl", ["--kubeconfig", kubeconfig, ...args], { env: withAssets(assets) });
  kubectl("apply", "-f", join(crds, "sharding.timebertt.dev_controllerrings.yaml"));
  kubectl("wait", "--for=condition=Established", "crd/controllerrings.sharding.timebertt.dev", "--timeout=60s");
  writeFileSync(join(folder, "ring.json"), JSON.stringify(ringObject));
  kubectl("apply", "-f", join(folder, "ring.json"));
  return { client, kubeconfig, webhooks: makeCertificate(folder), stop, cpuSeconds };
}

/** Waits until the sharder knows as many shards: an object that is created before waits for its next round, minutes later. */
export async function untilAvailable(client, count) {
  for (const deadline = Date.now() + 120_000; ; await sleep(500)) {
    const { status } = await client.get(ControllerRing, { name: ring });
    if (status?.availableShards === count) return;
    if (Date.now() > deadline)
      throw new Error(`${status?.availableShards} shards are available, not ${count}: are ports 8080 and 9443 free?`);
  }
}

/** Creates Secrets of about as many bytes, some at a time. */
export async function createSecrets(client, names, bytes = 0) {
  const waiting = [...names];
  const create = async () => {
    for (let name = waiting.pop(); name; name = waiting.pop()) {
      const data = { password: Buffer.from(`password of ${name} `.padEnd(bytes, "x")).toString("base64") };
      await client.create(Secret, { metadata: { namespace, name }, data });
    }
  };
  await Promise.all(Array.from({ length: 20 }, create));
}

export const ControllerRing = defineKind({
  group: "sharding.timebertt.dev",
  version: "v1alpha1",
  kind: "ControllerRing",
  plural: "controllerrings",
  scope: "Cluster",
});

const ringObject = {
  apiVersion: "sharding.timebertt.dev/v1alpha1",
  kind: "ControllerRing",
  metadata: { name: ring },
  spec: {
    resources: [{ group: "", resource: "secrets", controlledResources: [{ group: "", resource: "configmaps" }] }],
  },
};

function withAssets(assets = "") {
  return { ...process.env, PATH: `${assets}:${process.env.PATH}` };
}

/** Issues a certificate for 127.0.0.1 that is its own authority. */
function makeCertificate(folder) {
  const [key, certificate] = [join(folder, "tls.key"), join(folder, "tls.crt")];
  const names = ["-subj", "/CN=sharder", "-addext", "subjectAltName=IP:127.0.0.1"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const files = ["-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", ...curve, ...names, ...files], { stdio: "ignore" });
  return { certDir: folder, caBundle: readFileSync(certificate).toString("base64") };
}
