import { expect, it } from "vitest";
import { formatAuditEvent } from "../../../src/apiserver/audit/format-audit-event.ts";
import { asker, merge } from "./ask.ts";

const prefix = "pod-security.kubernetes.io/";
const namespace = "/api/v1/namespaces/default";
const pods = `${namespace}/pods`;
const pod = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: "c", image: "i" }], ...spec },
});
const labelled = (modes: Readonly<Record<string, string>>) => ({
  metadata: { labels: Object.fromEntries(Object.entries(modes).map(([mode, value]) => [prefix + mode, value])) },
});
const warningsOf = ({ warning = [] }: Readonly<Record<string, string | readonly string[]>>): readonly string[] =>
  [warning].flat();

// The texts are those of a real server's log.
it("annotates the audit events of pods and controllers", async () => {
  const annotations: unknown[] = [];
  const server = asker({
    onAudit: (event) => annotations.push((formatAuditEvent(event) as { annotations?: unknown }).annotations),
  });
  await server.ask("POST", pods, pod("a"));
  await server.ask(
    "PATCH",
    namespace,
    labelled({ enforce: "baseline", audit: "restricted", "audit-version": "v1.30" }),
    merge,
  );
  await server.ask("POST", pods, pod("b"));
  await server.ask("POST", pods, pod("c", { hostPID: true }));
  await server.ask("PATCH", `${pods}/a`, labelled({}), merge);
  const selector = { matchLabels: { a: "b" } };
  const template = { ...pod(""), metadata: { labels: { a: "b" } } };
  await server.ask("POST", "/apis/apps/v1/namespaces/default/deployments", { metadata: { name: "d" }, spec: { selector, template } }); // prettier-ignore
  await server.ask("PATCH", `${namespace}/status`, labelled({ enforce: "nope" }), merge);
  await server.ask("POST", pods, pod("e"));
  const unrestricted = [
    'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
    'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"])',
    'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
    'seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  ].join(", ");
  const would = 'would violate PodSecurity "restricted:v1.30":';
  const noted = (fields: Readonly<Record<string, string>>): unknown =>
    Object.fromEntries(Object.entries(fields).map(([name, text]) => [prefix + name, text]));
  expect(annotations).toEqual([
    noted({ "enforce-policy": "privileged:latest" }),
    undefined,
    noted({ "enforce-policy": "baseline:latest", "audit-violations": `${would} ${unrestricted}` }),
    noted({
      "enforce-policy": "baseline:latest",
      "audit-violations": `${would} host namespaces (hostPID=true), ${unrestricted}`,
    }),
    undefined,
    noted({ "audit-violations": `${would} ${unrestricted}` }),
    undefined,
    noted({
      error: `Failed to parse policy: metadata.labels[${prefix}enforce]: Invalid value: "nope": must be one of privileged, baseline, restricted`,
      "enforce-policy": "restricted:latest",
      "audit-violations": `${would} ${unrestricted}`,
    }),
  ]);
});

it("checks the first 3,000 pods of a namespace that gets a level", async () => {
  const first = asker();
  const { body } = await first.ask("POST", pods, pod("a", { hostPID: true }));
  const names = Array.from({ length: 3001 }, (_, at) => `p-${String(at).padStart(4, "0")}`);
  const many = names.map((name) => [`default/${name}`, { ...body, metadata: { ...body.metadata, name } }]);
  const { objects, ...rest } = first.server.snapshot();
  const second = asker({ restore: { ...rest, objects: { ...objects, "/pods": Object.fromEntries(many) } } });
  const { headers } = await second.ask("PATCH", namespace, labelled({ enforce: "baseline" }), merge);
  expect(warningsOf(headers)).toEqual(
    [
      "new PodSecurity enforce level only checked against the first 3000 of 3001 existing pods",
      'existing pods in namespace \\"default\\" violate the new PodSecurity enforce level \\"baseline:latest\\"',
      "p-0000 (and 2999 other pods): host namespaces",
    ].map((text) => `299 - "${text}"`),
  );
});
