import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuditEvent } from "../../../src/apiserver/audit/audit-event.ts";
import { issueCertificates } from "../../../src/apimachinery/certificates/issue-certificates.ts";
import { asker, type Asker } from "./ask.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const registrations = "/apis/admissionregistration.k8s.io/v1";

/** Answers reviews by a function that a test sets. */
interface Reviewer {
  readonly url: string;
  readonly caBundle: string;
  readonly requests: any[];
  respond: (request: any) => Record<string, unknown> | string;
  close(): Promise<void>;
}

async function reviewer(): Promise<Reviewer> {
  const { ca, server } = issueCertificates(["127.0.0.1"], Date.now());
  const requests: any[] = [];
  const self = {
    requests,
    respond: (): Record<string, unknown> | string => ({ allowed: true }),
  } as Partial<Reviewer> & {
    respond: Reviewer["respond"];
  };
  const listener: Server = createServer({ cert: server.cert, key: server.key }, (request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += chunk));
    request.on("end", () => {
      const review = JSON.parse(text).request;
      requests.push(review);
      const answer = self.respond(review);
      const body =
        typeof answer === "string"
          ? answer
          : JSON.stringify({
              kind: "AdmissionReview",
              apiVersion: "admission.k8s.io/v1",
              response: { uid: review.uid, ...answer },
            });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return Object.assign(self, {
    url: `https://127.0.0.1:${(listener.address() as AddressInfo).port}/hook`,
    caBundle: Buffer.from(ca).toString("base64"),
    close: () => new Promise<void>((resolve) => listener.close(() => resolve())),
  }) as Reviewer;
}

describe("admission webhooks", () => {
  let hook: Reviewer;
  let api: Asker;
  beforeEach(async () => {
    hook = await reviewer();
    api = asker({ resolveService: () => ({ url: hook.url }) });
  });
  afterEach(() => hook.close());

  const register = (kind: "Mutating" | "Validating", more: Record<string, unknown> = {}) =>
    api.ask("POST", `${registrations}/${kind.toLowerCase()}webhookconfigurations`, {
      metadata: { name: kind.toLowerCase() },
      webhooks: [
        {
          name: "hook.example.com",
          clientConfig: { url: hook.url, caBundle: hook.caBundle },
          rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["*"] }],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          ...more,
        },
      ],
    });
  const patchOf = (operations: unknown[]) => ({
    allowed: true,
    patchType: "JSONPatch",
    patch: Buffer.from(JSON.stringify(operations)).toString("base64"),
  });

  it("is audited with request, response and failure of each call", async () => {
    const events: AuditEvent[] = [];
    api = asker({ onAudit: (event) => events.push(event) });
    await register("Mutating");
    await register("Validating", { failurePolicy: "Ignore" });
    const patch = patchOf([{ op: "add", path: "/data", value: { by: "hook" } }]);
    hook.respond = ({ object }) => (object.data ? "no JSON" : patch);
    await api.ask("POST", maps, { metadata: { name: "a" } });
    const calls = events.at(-1)!.webhookCalls;
    expect(calls).toMatchObject([
      { webhook: "hook.example.com", mutating: true, response: patch, error: undefined },
      {
        webhook: "hook.example.com",
        mutating: false,
        response: undefined,
        error: expect.stringContaining("json parse error"),
      },
    ]);
    // Each request is as it was sent, whatever later steps did to the object.
    expect(calls.map(({ request }) => JSON.parse(request).request.object.data)).toEqual([undefined, { by: "hook" }]);
  });

  it("connects a client as a mutating webhook wants it", async () => {
    const never = (): never => {
      throw new Error("no client connects");
    };
    api = asker({ podConnections: { exec: never, attach: never, connect: never } });
    const containers = ["main", "sidecar"].map((name) => ({ name, image: "i" }));
    const pods = "/api/v1/namespaces/default/pods";
    await api.ask("POST", pods, { metadata: { name: "p" }, spec: { containers, nodeName: "n" } });
    const rules = [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods/exec"], operations: ["CONNECT"] }];
    await register("Mutating", { rules });
    hook.respond = () => patchOf([{ op: "replace", path: "/container", value: "sidecar" }]);
    const { body } = await api.ask("POST", `${pods}/p/exec?container=main&command=ls&stdout=true`);
    expect(body.message).toContain('container not found ("sidecar")');
  });

  it("calls the webhook of a service at the address of the resolver", async () => {
    const service = { namespace: "default", name: "hooks", path: "/here" };
    await register("Validating", { clientConfig: { service, caBundle: hook.caBundle } });
    expect((await api.ask("POST", maps, { metadata: { name: "a" } })).status).toBe(201);
    expect(hook.requests).toHaveLength(1);
  });

  it("does not trust a certificate of another authority", async () => {
    const other = await reviewer();
    await other.close();
    await register("Validating", { clientConfig: { url: hook.url, caBundle: other.caBundle } });
    const { status, body } = await api.ask("POST", maps, { metadata: { name: "a" } });
    expect(status).toBe(500);
    expect(body.message).toContain("failed to call webhook");
    expect(hook.requests).toHaveLength(0);
  });
});
