import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import {
  admission,
  multiMutatingHandler,
  multiValidatingHandler,
  type AdmissionHandler,
  type AdmissionResponse,
} from "../../../../src/runtime/webhook/admission.ts";
import { standaloneWebhook } from "../../../../src/runtime/webhook/admission-endpoint.ts";
import { listen } from "../../client/listen.ts";
import { post, serveWebhooks } from "./serve-webhooks.ts";

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
    const body = { kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1", request: { ...request, name: "a" } };
    const response = await fetch(`http://127.0.0.1:${await listen(server)}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(await response.json()).toMatchObject({
      response: { uid: "u", allowed: false, status: { message: "not a" } },
    });
  });
});

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
    const { server } = await serveWebhooks((server) =>
      server.registerTokenReview("/tokens", ({ spec }) => {
        if (spec.token === "break") throw new Error("oh");
        const audiences = spec.audiences ?? [];
        return spec.token === "good" ? { authenticated: true, user: { username: "jane" }, audiences } : { authenticated: false };
      }),
    );
    const { status, body: text } = await post(server, "/tokens", body, contentType);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ kind: "TokenReview", status: expected });
  }); // prettier-ignore

  it("is answered in the same version", async () => {
    const { server } = await serveWebhooks((server) =>
      server.registerTokenReview("/tokens", () => ({ authenticated: false })),
    );
    const { body: text } = await post(server, "/tokens", review({ token: "t" }, "authentication.k8s.io/v1beta1"));
    expect(JSON.parse(text)).toMatchObject({ apiVersion: "authentication.k8s.io/v1beta1" });
  });
});

describe("a custom handler", () => {
  it("sends any response for its path", async () => {
    const { server } = await serveWebhooks((server) =>
      server.registerListener("/own", (_request, response) => void response.writeHead(418).end("teapot")),
    );
    expect(await post(server, "/own", "")).toEqual({ status: 418, body: "teapot" });
  });

  it("rejects a path in use", async () => {
    const listener = (): void => undefined;
    await serveWebhooks((server) => {
      server.registerListener("/own", listener);
      expect(() => server.registerTokenReview("/own", () => ({ authenticated: false }))).toThrow("two webhooks");
    });
  });
});
