import { createServer } from "node:http";
import { request as httpsRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import {
  admission,
  multiMutatingHandler,
  multiValidatingHandler,
  type AdmissionHandler,
  type AdmissionResponse,
} from "../../../../src/runtime/webhook/admission.ts";
import { standaloneWebhook } from "../../../../src/runtime/webhook/admission-endpoint.ts";
import { WebhookServer } from "../../../../src/runtime/webhook/webhook-server.ts";
import { manualClock } from "../../../../src/testing/manual-clock.ts";
import { run } from "../run.ts";

const cleanUp: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const clean of cleanUp.splice(0).toReversed()) await clean();
});

const gvk = { group: "", version: "v1", kind: "Pod" };
const gvr = { group: "", version: "v1", resource: "pods" };
const request = { uid: "u", kind: gvk, resource: gvr, operation: "CREATE", userInfo: {} } as const;

function decide(handler: AdmissionHandler): Promise<AdmissionResponse> {
  return Promise.resolve(handler(request, { request, log: discardLogger }));
}

describe("the responses", () => {
  it.each<[string, AdmissionResponse, AdmissionResponse]>([
    ["allowed", admission.allowed(), { allowed: true, status: { code: 200 } }],
    ["allowed with a message", admission.allowed("fine"), { allowed: true, status: { code: 200, message: "fine" } }],
    ["denied", admission.denied("no"), { allowed: false, status: { code: 403, reason: "Forbidden", message: "no" } }],
    ["errored", admission.errored(400, "bad"), { allowed: false, status: { code: 400, message: "bad" } }],
    ["a successful check", admission.validationResponse(true), { allowed: true, status: { code: 200 } }],
    ["a failed check", admission.validationResponse(false, "no"), { allowed: false, status: { code: 403, reason: "Forbidden", message: "no" } }],
    ["warnings", admission.withWarnings(admission.withWarnings(admission.allowed(), "a"), "b"), { allowed: true, status: { code: 200 }, warnings: ["a", "b"] }],
    ["patched", admission.patched("done", [{ op: "add", path: "/a", value: 1 }]), { allowed: true, status: { code: 200, message: "done" }, patch: [{ op: "add", path: "/a", value: 1 }] }],
    ["patched from the old and the new state", admission.patchedFrom({ a: 1 }, { a: 2 }), { allowed: true, status: { code: 200 }, patch: [{ op: "replace", path: "/a", value: 2 }] }],
  ])("%s", (_name, response, expected) => {
    expect(response).toEqual(expected);
  }); // prettier-ignore
});

describe("several handlers", () => {
  const label = (name: string): AdmissionHandler => () => ({ ...admission.patched("", [{ op: "add", path: `/${name}`, value: 1 }]), warnings: [`w-${name}`] }); // prettier-ignore

  it("combine their patches and warnings", async () => {
    expect(await decide(multiMutatingHandler(label("a"), label("b")))).toEqual({
      allowed: true,
      status: { code: 200 },
      patch: [
        { op: "add", path: "/a", value: 1 },
        { op: "add", path: "/b", value: 1 },
      ],
      warnings: ["w-a", "w-b"],
    });
  });

  it("stop at the first denial", async () => {
    const after = (): never => {
      throw new Error("must not be asked");
    };
    const refusal = admission.denied("no");
    expect(await decide(multiMutatingHandler(label("a"), () => refusal, after))).toEqual(refusal);
    expect(await decide(multiValidatingHandler(label("a"), () => refusal, after))).toEqual(refusal);
  });

  it("change nothing if they validate", async () => {
    expect(await decide(multiValidatingHandler(label("a")))).toEqual({ allowed: true, status: { code: 200 }, warnings: ["w-a"] }); // prettier-ignore
  });
});

describe("a webhook for a custom server", () => {
  it("responds to reviews", async () => {
    const server = createServer(standaloneWebhook(({ name }) => admission.denied(`not ${name}`)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    cleanUp.push(() => void server.close());
    const body = { kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1", request: { ...request, name: "a" } };
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(await response.json()).toMatchObject({
      response: { uid: "u", allowed: false, status: { message: "not a" } },
    });
  });
});

async function serve(setUp: (server: WebhookServer) => void) {
  const server = new WebhookServer(
    { port: 0, host: "127.0.0.1" },
    { log: discardLogger, clock: manualClock(new Date(0)), metrics: undefined },
  );
  setUp(server);
  await server.listen();
  cleanUp.push(run(server));
  return (path: string, body: string, contentType = "application/json"): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const to = {
        port: server.port,
        host: "127.0.0.1",
        path,
        method: "POST",
        rejectUnauthorized: false,
        agent: false,
      };
      const outgoing = httpsRequest({ ...to, headers: { "content-type": contentType } }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.once("end", () => resolve({ status: response.statusCode!, text }));
      });
      outgoing.once("error", reject);
      outgoing.end(body);
    });
}

describe("a token review", () => {
  const review = (spec: object, apiVersion = "authentication.k8s.io/v1"): string =>
    JSON.stringify({ kind: "TokenReview", apiVersion, spec });

  it.each<[string, string, string, object]>([
    ["a known token", review({ token: "good", audiences: ["api"] }), "application/json", { authenticated: true, user: { username: "jane" }, audiences: ["api"] }],
    ["an unknown token", review({ token: "bad" }), "application/json", { authenticated: false }],
    ["an error in the handler", review({ token: "break" }), "application/json", { authenticated: false, error: "panic: oh [recovered]" }],
    ["none", review({ token: "" }), "application/json", { authenticated: false, error: "token is empty" }],
    ["no body", "", "application/json", { authenticated: false, error: "request body is empty" }],
    ["another content type", "a", "text/plain", { authenticated: false, error: "contentType=text/plain, expected application/json" }],
    ["another kind", JSON.stringify({ kind: "Pod", apiVersion: "v1" }), "application/json", { authenticated: false, error: "v1 Pod is not a TokenReview" }],
  ])("gets a response to %s", async (_name, body, contentType, expected) => {
    const post = await serve((server) =>
      server.registerTokenReview("/tokens", ({ spec }) => {
        if (spec.token === "break") throw new Error("oh");
        const audiences = spec.audiences ?? [];
        return spec.token === "good" ? { authenticated: true, user: { username: "jane" }, audiences } : { authenticated: false };
      }),
    );
    const { status, text } = await post("/tokens", body, contentType);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ kind: "TokenReview", status: expected });
  }); // prettier-ignore

  it("is answered in the same version", async () => {
    const post = await serve((server) => server.registerTokenReview("/tokens", () => ({ authenticated: false })));
    const { text } = await post("/tokens", review({ token: "t" }, "authentication.k8s.io/v1beta1"));
    expect(JSON.parse(text)).toMatchObject({ apiVersion: "authentication.k8s.io/v1beta1" });
  });
});

describe("a custom handler", () => {
  it("sends any response for its path", async () => {
    const post = await serve((server) =>
      server.registerListener("/own", (_request, response) => void response.writeHead(418).end("teapot")),
    );
    expect(await post("/own", "")).toEqual({ status: 418, text: "teapot" });
  });

  it("rejects a path in use", async () => {
    const listener = (): void => undefined;
    await serve((server) => {
      server.registerListener("/own", listener);
      expect(() => server.registerTokenReview("/own", () => ({ authenticated: false }))).toThrow("two webhooks");
    });
  });
});
