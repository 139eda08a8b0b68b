import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server, type ServerOptions } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { issueCertificates } from "../../../src/apimachinery/certificates/issue-certificates.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { jsonPatch } from "../../../src/client/patches.ts";
import { loadConfig } from "../../../src/client/config/load-config.ts";
import { formatSnapshot } from "../../../src/sandbox/disk/log-records.ts";
import { serveSandbox, type ServeOptions } from "../../../src/sandbox/serve-sandbox.ts";
import { defineKind } from "../../../src/apimachinery/kind.ts";
import { createManager } from "../../../src/runtime/manager/create-manager.ts";
import { admission } from "../../../src/runtime/webhook/admission.ts";
import { discardLogger } from "../../../src/runtime/log/logger.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { freePorts } from "../../../src/sandbox/webhooks/webhook-endpoint.ts";
import { ConfigMapKind, PodKind, ServiceAccountKind } from "../../../src/sandbox/simulation/context/simulated-kinds.ts";
import { patience } from "../../patience.ts";

const ValidatingWebhooks = defineKind({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
  scope: "Cluster",
});

let cwd: string;
beforeEach(() => (cwd = mkdtempSync(join(tmpdir(), "tsop-sandbox-"))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

it("serves the applied objects until the signal, and removes its kubeconfig", async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  writeFileSync(
    join(cwd, "a.yaml"),
    "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n---\napiVersion: v1\nkind: Namespace\nmetadata: { name: b }\n",
  );
  const kubeconfig = join(cwd, ".tsop/kubeconfig");
  const options = { simulate: false, apply: ["a.yaml"], kubeconfig: ".tsop/kubeconfig" };
  const done = serveSandbox(options, { cwd, signal: stop.signal, emit: (line) => lines.push(line) });
  await vi.waitUntil(() => lines.includes("configmaps/a created"), patience);
  expect(lines).toContain(`kubectl: export KUBECONFIG=${kubeconfig}`);
  expect(lines).toContain("namespaces/b created");
  const client = createClient({ config: await loadConfig({ kubeconfig }) });
  expect(await client.get(ConfigMapKind, { namespace: "default", name: "a" })).toBeTruthy();
  expect((await client.list(ServiceAccountKind)).items).toEqual([]);
  const second = serveSandbox({ simulate: false, kubeconfig }, { cwd, signal: stop.signal, emit: () => {} });
  await expect(second).rejects.toMatchObject({ code: "TSOP_KUBECONFIG_IN_USE" });
  stop.abort();
  await done;
  expect(existsSync(kubeconfig)).toBe(false);
});

it("calls the webhooks of services at the operator's port, and reports unsupported requests", async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  const [webhookPort] = await freePorts(1);
  const webhookCertNames = ["apiserver.crt", "apiserver.key"] as const;
  const options = { simulate: false, kubeconfig: "kubeconfig", webhookPort: webhookPort!, webhookCertNames };
  const done = serveSandbox(options, { cwd, signal: stop.signal, emit: (line) => lines.push(line) });
  const certificates = join(cwd, "webhook-certs");
  await vi.waitUntil(() => lines.some((line) => line.endsWith(`--webhook-cert-path ${certificates}`)), patience);
  const [cert, key] = webhookCertNames.map((name) => readFileSync(join(certificates, name)));
  const operator = await refusingOperator(webhookPort!, { cert, key });
  const client = createClient({ config: await loadConfig({ kubeconfig: join(cwd, "kubeconfig") }) });
  await client.create(ValidatingWebhooks, webhooks);
  const refused = () => client.create(ConfigMapKind, { metadata: { name: "a", namespace: "default" } });
  await expect(refused()).rejects.toThrow("not through /validate-it");
  await expect(client.subResource("proxy").get(PodKind, { namespace: "default", name: "p" })).rejects.toThrow(
    "not served",
  );
  expect(lines.at(-1)).toMatch(/^unsupported: GET \/api\/v1\/namespaces\/default\/pods\/p\/proxy: /);
  operator.close();
  stop.abort();
  await done;
  expect(existsSync(certificates)).toBe(false);
});

it("calls an operator that has found the certificate in the kubeconfig", async () => {
  const stop = new AbortController();
  const [port] = await freePorts(1);
  const lines: string[] = [];
  const options = { simulate: false, kubeconfig: "kubeconfig", webhookPort: port! };
  const done = serveSandbox(options, { cwd, signal: stop.signal, emit: (line) => lines.push(line) });
  await vi.waitUntil(() => lines.some((line) => line.includes("--webhook-cert-path")), patience);
  const config = await loadConfig({ kubeconfig: join(cwd, "kubeconfig") });
  const mgr = await createManager(config, { logger: discardLogger, webhook: { port: port!, host: "127.0.0.1" } });
  mgr.webhookServer.register("/validate-it", () => admission.denied("not here"));
  const running = mgr.start(stop.signal);
  await eventually(() => expect(mgr.webhookServer.port).toBe(port));
  await mgr.client.create(ValidatingWebhooks, webhooks);
  const refused = mgr.client.create(ConfigMapKind, { metadata: { name: "a", namespace: "default" } });
  await expect(refused).rejects.toThrow("not here");
  stop.abort();
  await running;
  await done;
});

it("calls an operator that serves with its own certificate, if the configuration names its authority", async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  const [webhookPort] = await freePorts(1);
  const options = { simulate: false, kubeconfig: "kubeconfig", webhookPort: webhookPort! };
  const done = serveSandbox(options, { cwd, signal: stop.signal, emit: (line) => lines.push(line) });
  await vi.waitUntil(() => lines.some((line) => line.includes("--webhook-cert-path")), patience);
  const ofService = issueCertificates(["webhook-service.system.svc"], Date.now());
  const ofOthers = issueCertificates(["other-service.system.svc"], Date.now());
  const client = createClient({ config: await loadConfig({ kubeconfig: join(cwd, "kubeconfig") }) });
  const refused = () => client.create(ConfigMapKind, { metadata: { name: "a", namespace: "default" } });
  const operator = await refusingOperator(webhookPort!, ofService.server);
  await client.create(ValidatingWebhooks, webhooks);
  await expect(refused()).rejects.toThrow("certificate signed by unknown authority");
  const trust = async (ca: string): Promise<void> => {
    const caBundle = Buffer.from(ca).toString("base64");
    const value = [{ op: "add" as const, path: "/webhooks/0/clientConfig/caBundle", value: caBundle }];
    await client.patch(ValidatingWebhooks, { name: "v" }, jsonPatch(value));
  };
  await trust(ofService.ca);
  await expect(refused()).rejects.toThrow("not through /validate-it");
  operator.setSecureContext(ofOthers.server);
  await trust(ofOthers.ca);
  await expect(refused()).rejects.toThrow(
    "x509: certificate is valid for DNS:other-service.system.svc, not webhook-service.system.svc",
  );
  operator.close();
  stop.abort();
  await done;
});

const webhooks = {
  metadata: { name: "v" },
  webhooks: [
    {
      name: "v.example.com",
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      clientConfig: { service: { namespace: "system", name: "webhook-service", path: "/validate-it" } },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
    },
  ],
};

/** An operator whose webhooks deny everything, with the path at which they were called. */
async function refusingOperator(port: number, certificate: ServerOptions): Promise<Server> {
  const operator = createServer(certificate, (request, response) => {
    request.on("data", (body) => {
      const { uid } = JSON.parse(String(body)).request;
      const status = { message: `not through ${new URL(request.url!, "https://a").pathname}` };
      response.end(
        JSON.stringify({
          apiVersion: "admission.k8s.io/v1",
          kind: "AdmissionReview",
          response: { uid, allowed: false, status },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => operator.listen(port, "127.0.0.1", resolve));
  return operator;
}

it("fails with the file that cannot be applied", async () => {
  const { signal } = new AbortController();
  const options = { simulate: true, apply: ["missing.yaml"], kubeconfig: "kubeconfig" };
  await expect(serveSandbox(options, { cwd, signal, emit: () => {} })).rejects.toMatchObject({
    code: "TSOP_MANIFEST_NOT_FOUND",
  });
  expect(existsSync(join(cwd, "kubeconfig"))).toBe(false);
});

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Widget, plural: widgets }
  versions:
  - name: v1
    served: true
    storage: true
    schema: { openAPIV3Schema: { type: object, properties: { size: { type: integer, maximum: 5 } } } }
`;
const widget = (size: number) => `apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: a }\nsize: ${size}\n`;

/** Runs a sandbox to its end, or until it has printed `last`; returns what it has printed. */
async function serve(options: Partial<ServeOptions>, last?: string): Promise<string[]> {
  const stop = new AbortController();
  const lines: string[] = [];
  const emit = (line: string): void => {
    lines.push(line);
    if (line === last) stop.abort();
  };
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(patience.timeout)]);
  const run = serveSandbox({ simulate: false, kubeconfig: "kubeconfig", ...options }, { cwd, signal, emit });
  await run.catch((error: unknown) => {
    throw Object.assign(error as Error, { lines });
  });
  return lines;
}

it("never writes through links that came with the folder", async () => {
  mkdirSync(join(cwd, "webhook-certs"));
  writeFileSync(join(cwd, "victim"), "precious\n");
  for (const name of ["kubeconfig.new", "webhook-certs/tls.crt", "webhook-certs/tls.key", "webhook-certs/tls.key.new"])
    symlinkSync(join(cwd, "victim"), join(cwd, name));
  await serve({ webhookPort: 9443 }, `kubectl: export KUBECONFIG=${join(cwd, "kubeconfig")}`);
  expect(readFileSync(join(cwd, "victim"), "utf8")).toBe("precious\n");
});

it("applies CRDs before their objects, whatever the order of files and paths", async () => {
  mkdirSync(join(cwd, "samples"));
  writeFileSync(
    join(cwd, "samples/a.yaml"),
    `${widget(1)}---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n`,
  );
  writeFileSync(join(cwd, "crd.yaml"), crd);
  const lines = await serve({ apply: ["samples", "crd.yaml"], persist: "state" }, "configmaps/c created");
  expect(lines.slice(1)).toEqual([
    `objects: kept in ${join(cwd, "state")}`,
    `kubectl: export KUBECONFIG=${join(cwd, "kubeconfig")}`,
    "customresourcedefinitions/widgets.example.com created",
    "widgets/a created",
    "configmaps/c created",
  ]);
  const again = await serve({ apply: ["samples", "crd.yaml"], persist: "state" }, "configmaps/c configured");
  expect(again.slice(3)).toEqual([
    "customresourcedefinitions/widgets.example.com configured",
    "widgets/a configured",
    "configmaps/c configured",
  ]);
});

it("quotes the folder in the export line", async () => {
  const lines = await serve({ kubeconfig: "my folder/it's" }, `kubectl: export KUBECONFIG='${cwd}/my folder/it'\\''s'`);
  expect(lines).toHaveLength(3);
});

const deadWebhook = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: dead }
webhooks:
- name: dead.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: { url: "https://127.0.0.1:1" }
  rules: [{ apiGroups: [example.com], apiVersions: ["*"], resources: [widgets], operations: [CREATE] }]
`;

it.each([
  ["objects that the server refuses", widget(9), "TSOP_MANIFEST_REFUSED", "less than or equal to 5"],
  [
    "fields that the server does not know",
    "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b }\ndatas: {}\n",
    "TSOP_MANIFEST_REFUSED",
    'ConfigMap in version "v1" cannot be',
  ],
  ["objects whose webhook fails", `${deadWebhook}---\n${widget(1)}`, "TSOP_MANIFEST_WEBHOOK", "connection refused"],
  [
    "kinds that nobody knows",
    widget(1).replace("Widget", "Gadget"),
    "TSOP_KIND_NOT_SERVED",
    "Gadget in example.com/v1",
  ],
])("names the file of %s, and removes its kubeconfig", async (_what, text, code, reason) => {
  writeFileSync(join(cwd, "crd.yaml"), crd);
  writeFileSync(join(cwd, "bad.yaml"), text);
  const failure = await serve({ apply: ["crd.yaml", "bad.yaml"] }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code, message: expect.stringContaining(reason) });
  expect((failure as Error).message).toContain(join(cwd, "bad.yaml"));
  expect(existsSync(join(cwd, "kubeconfig"))).toBe(false);
});

it("names the file of a CRD that the server refuses", async () => {
  writeFileSync(join(cwd, "crd.yaml"), crd.replace("type: integer", "type: number2"));
  await expect(serve({ apply: ["crd.yaml"] })).rejects.toMatchObject({ code: "TSOP_MANIFEST_REFUSED" });
});

const ofSomebody = "apiVersion: v1\nkind: Config\nclusters: [{name: work, cluster: {server: 'https://10.0.0.1'}}]\n";

it.each<[string, Partial<ServeOptions>, string]>([
  ["a state folder that is a file", { persist: "file" }, "TSOP_FOLDER_UNUSABLE"],
  ["a kubeconfig below a file", { kubeconfig: "file/kubeconfig" }, "TSOP_FOLDER_UNUSABLE"],
  ["a kubeconfig that is a folder", { kubeconfig: "folder" }, "TSOP_FILE_UNUSABLE"],
  ["to replace the kubeconfig of a cluster", { kubeconfig: "work" }, "TSOP_KUBECONFIG_FOREIGN"],
  ["to replace another file", { kubeconfig: "other" }, "TSOP_KUBECONFIG_FOREIGN"],
  ["manifests that are not there", { apply: ["nowhere"] }, "TSOP_MANIFEST_NOT_FOUND"],
  ["a folder without manifests", { apply: ["folder"] }, "TSOP_MANIFESTS_MISSING"],
  ["a state that is no state", { persist: "broken" }, "TSOP_STATE_INVALID"],
  ["a state with a broken CRD", { persist: "damaged" }, "TSOP_STATE_INVALID"],
])("refuses %s before anything is served", async (_what, options, code) => {
  for (const folder of ["folder", "broken", "damaged"]) mkdirSync(join(cwd, folder));
  writeFileSync(join(cwd, "file"), "");
  writeFileSync(join(cwd, "work"), ofSomebody);
  writeFileSync(join(cwd, "other"), "precious");
  writeFileSync(join(cwd, "broken/state.log"), "{");
  const crds = { x: { metadata: { name: "x" } } };
  const objects = { "apiextensions.k8s.io/customresourcedefinitions": crds };
  writeFileSync(join(cwd, "damaged/state.log"), Buffer.concat([...formatSnapshot({ revision: 1, objects })]));
  // An authority may be created before the objects are restored; it has no part in the failure.
  const files = () => readdirSync(cwd, { recursive: true }).filter((path) => path !== "damaged/authority.json");
  const before = files();

  const failure = await serve({ webhookPort: 9443, ...options }).catch((error: unknown) => error);

  expect(failure).toMatchObject({ code, lines: [] });
  expect(files()).toEqual(before);
  expect(readFileSync(join(cwd, "work"), "utf8")).toBe(ofSomebody);
});

// Node's own recursive mkdir never comes back from there.
it.skipIf(process.platform !== "linux")("says at once that no folder can be made below /proc", async () => {
  await expect(serve({ kubeconfig: "/proc/none/at/all" })).rejects.toMatchObject({ code: "TSOP_FOLDER_UNUSABLE" });
  await expect(serve({ persist: "/proc/none" })).rejects.toMatchObject({ code: "TSOP_FOLDER_UNUSABLE" });
});

it("replaces the kubeconfig of a killed sandbox, keeps that of a later one, and removes one that kubectl changed", async () => {
  const file = join(cwd, "kubeconfig");
  const stop = [new AbortController(), new AbortController(), new AbortController()];
  const start = ({ signal }: AbortController) => {
    const printed: string[] = [];
    const emit = (line: string): void => void printed.push(line);
    const done = serveSandbox({ simulate: false, kubeconfig: "kubeconfig" }, { cwd, signal, emit });
    return { done, serves: vi.waitUntil(() => printed.length === 3, patience) };
  };
  const killed = start(stop[0]!);
  await killed.serves;
  const left = readFileSync(file, "utf8");
  stop[0]!.abort();
  await killed.done;
  writeFileSync(file, left);
  const first = start(stop[1]!);
  await first.serves;
  rmSync(file);
  const second = start(stop[2]!);
  await second.serves;
  const current = readFileSync(file, "utf8");
  stop[1]!.abort();
  await first.done;
  expect(readFileSync(file, "utf8")).toBe(current);
  writeFileSync(file, current.replace("namespace: default", "namespace: team"));
  stop[2]!.abort();
  await second.done;
  expect(existsSync(file)).toBe(false);
});
