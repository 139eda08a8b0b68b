import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { issueCertificates } from "../../../../src/apimachinery/certificates/issue-certificates.ts";
import { invalidError } from "../../../../src/apimachinery/invalid-error.ts";
import { defineKind, type Kind } from "../../../../src/apimachinery/kind.ts";
import type { KubeObject } from "../../../../src/apimachinery/meta.ts";
import { applyJsonPatch, type JsonPatchOperation } from "../../../../src/apimachinery/patch/json-patch.ts";
import { ApiError, failure } from "../../../../src/apimachinery/status.ts";
import { discardLogger } from "../../../../src/runtime/log/logger.ts";
import { zapLogger } from "../../../../src/runtime/log/zap-logger.ts";
import type { Manager } from "../../../../src/runtime/manager/manager.ts";
import {
  AdmissionError,
  admission,
  type AdmissionContext,
  type AdmissionRequest,
} from "../../../../src/runtime/webhook/admission.ts";
import { hubSpoke, spoke } from "../../../../src/runtime/webhook/converter.ts";
import { webhookManagedBy, webhookPath } from "../../../../src/runtime/builders/webhook-builder.ts";
import { WebhookServer } from "../../../../src/runtime/webhook/webhook-server.ts";
import { patience } from "../../../patience.ts";
import { manualClock } from "../../../../src/testing/manual-clock.ts";
import { loggedLines } from "../logged-lines.ts";
import { clientCertificate } from "./client-certificate.ts";
import { post, serveWebhooks } from "./serve-webhooks.ts";

interface Thing extends KubeObject {
  spec?: { size?: number; color?: string };
}

const names = { group: "cache.example.com", kind: "Thing", plural: "things" };
const Thing: Kind<Thing> = defineKind<Thing>({ ...names, version: "v1" });
function review(request: Partial<AdmissionRequest>, apiVersion = "admission.k8s.io/v1"): string {
  const gvk = { group: "cache.example.com", version: "v1", kind: "Thing" };
  const gvr = { group: "cache.example.com", version: "v1", resource: "things" };
  const whole = { uid: "u-1", kind: gvk, resource: gvr, operation: "CREATE", userInfo: { username: "me" }, ...request };
  return JSON.stringify({ kind: "AdmissionReview", apiVersion, request: whole });
}

interface Verdict {
  uid: string;
  allowed: boolean;
  status: { code: number; message?: string; reason?: string };
  patch?: string;
  patchType?: string;
  warnings?: string[];
}

async function admit(server: WebhookServer, path: string, body: string): Promise<Verdict> {
  const { status, body: text } = await post(server, path, body);
  expect(status).toBe(200);
  return (JSON.parse(text) as { response: Verdict }).response;
}

const mutate = "/mutate-cache-example-com-v1-thing";
const validate = "/validate-cache-example-com-v1-thing";
const object = {
  apiVersion: "cache.example.com/v1",
  kind: "Thing",
  metadata: { name: "a" },
  spec: {},
  unknown: { kept: true },
};

describe("a defaulter", () => {
  const builder = (_server: WebhookServer, manager: Manager): void =>
    webhookManagedBy(manager, Thing)
      .withDefaulter({
        default(thing) {
          thing.spec ??= {};
          thing.spec.size ??= 3;
        },
      })
      .complete();

  it("responds with the patch of its changes, and keeps unknown fields", async () => {
    const { server } = await serveWebhooks(builder);
    const { allowed, uid, patch, patchType, status } = await admit(server, mutate, review({ object }));
    expect({ allowed, uid, patchType, code: status.code }).toEqual({
      allowed: true,
      uid: "u-1",
      patchType: "JSONPatch",
      code: 200,
    });
    const operations = JSON.parse(Buffer.from(patch!, "base64").toString()) as JsonPatchOperation[];
    expect(applyJsonPatch(object, operations)).toEqual({ ...object, spec: { size: 3 } });
  });

  it("responds to a review that names no user, such as one written by hand", async () => {
    const { server } = await serveWebhooks(builder);
    const { request, ...rest } = JSON.parse(review({ object })) as { request: AdmissionRequest };
    const { userInfo: _, ...anonymous } = request;
    const verdict = await admit(server, mutate, JSON.stringify({ ...rest, request: anonymous }));
    expect(verdict).toMatchObject({ allowed: true, patchType: "JSONPatch" });
  });

  it("responds without a patch if nothing changed, and to deletions", async () => {
    const { server } = await serveWebhooks(builder);
    const same = await admit(server, mutate, review({ object: { ...object, spec: { size: 1 } } }));
    const deletion = await admit(server, mutate, review({ operation: "DELETE", oldObject: object }));
    for (const verdict of [same, deletion]) {
      expect(verdict).toMatchObject({ allowed: true });
      expect(verdict).not.toHaveProperty("patch");
      expect(verdict).not.toHaveProperty("patchType");
    }
  });
});

describe("a validator", () => {
  const calls: string[] = [];
  const builder = (_server: WebhookServer, manager: Manager): void =>
    webhookManagedBy(manager, Thing)
      .withValidator({
        validateCreate(thing) {
          if (thing.spec?.color === "red") throw new Error("red is not a colour");
          if (thing.spec?.color === "mauve") return ["mauve is going out of fashion"];
          if (thing.spec?.color === "slip") (undefined as unknown as { oops(): void }).oops();
          if (thing.spec?.color === "api") throw new ApiError(failure("Invalid", "spec is wrong"));
          if (thing.spec?.color === "none")
            throw invalidError(Thing, thing.metadata.name, [
              { field: "spec.color", reason: "FieldValueRequired", message: "Required value" },
              { field: "spec.size", message: "none" },
            ]);
          if (thing.spec?.color === "own")
            throw new AdmissionError("no", { code: 422, reason: "Invalid", warnings: ["w"] });
        },
        validateUpdate(before, after) {
          calls.push(`update ${before.spec?.size} to ${after.spec?.size}`);
        },
        validateDelete(thing) {
          calls.push(`delete ${thing.metadata.name}`);
        },
      })
      .complete();

  const invalidStatus = {
    code: 422,
    reason: "Invalid",
    message: 'Thing.cache.example.com "a" is invalid: [spec.color: Required value, spec.size: none]',
    details: {
      name: "a",
      group: "cache.example.com",
      kind: "Thing",
      causes: [
        { field: "spec.color", reason: "FieldValueRequired", message: "Required value" },
        { field: "spec.size", message: "none" },
      ],
    },
  };

  it.each<[string, object]>([
    ["blue", { allowed: true, status: { code: 200 } }],
    ["mauve", { allowed: true, warnings: ["mauve is going out of fashion"] }],
    ["red", { allowed: false, status: { code: 403, reason: "Forbidden", message: "red is not a colour" } }],
    ["api", { allowed: false, status: { code: 422, reason: "Invalid", message: "spec is wrong" } }],
    ["own", { allowed: false, status: { code: 422, reason: "Invalid", message: "no" }, warnings: ["w"] }],
    ["none", { allowed: false, status: invalidStatus }],
    [
      "slip",
      { allowed: false, status: { code: 500, message: expect.stringMatching(/^panic: .* \[recovered\]$/) as string } },
    ],
  ])("responds to %s", async (color, expected) => {
    const { server } = await serveWebhooks(builder);
    expect(await admit(server, validate, review({ object: { ...object, spec: { color } } }))).toMatchObject(expected);
  });

  it("gets the old and the new object, the old one of a deletion, and no other operations", async () => {
    const { server } = await serveWebhooks(builder);
    const at = (size: number) => ({ ...object, spec: { size } });
    calls.length = 0;
    await admit(server, validate, review({ operation: "UPDATE", oldObject: at(1), object: at(2) }));
    await admit(server, validate, review({ operation: "DELETE", oldObject: object }));
    expect(await admit(server, validate, review({ operation: "CONNECT" }))).toMatchObject({ allowed: true });
    expect(calls).toEqual(["update 1 to 2", "delete a"]);
    const odd = review({ operation: "DANCE" as "CREATE" });
    expect(await admit(server, validate, odd)).toMatchObject({ allowed: false, status: { code: 400 } });
  });
});

describe("an admission webhook", () => {
  const allow = (server: WebhookServer): void => server.register("/raw", () => admission.allowed("fine"));

  it("responds in the version of the request", async () => {
    const { server } = await serveWebhooks(allow);
    const { body } = await post(server, "/raw", review({}, "admission.k8s.io/v1beta1"));
    expect(JSON.parse(body)).toMatchObject({
      apiVersion: "admission.k8s.io/v1beta1",
      kind: "AdmissionReview",
      response: { uid: "u-1", allowed: true, status: { code: 200, message: "fine" } },
    });
  });

  it.each<[string, string, string, number]>([
    ["an empty body", "", "application/json", 400],
    ["another content type", review({}), "text/plain", 400],
    ["a charset, which Kubernetes never sends", review({}), "application/json; charset=utf-8", 400],
    ["text that is not JSON", "{", "application/json", 400],
    ["another kind", '{"kind":"Pod","apiVersion":"v1"}', "application/json", 400],
    ["a body that is too large", " ".repeat(7 * 1024 * 1024), "application/json", 413],
  ])("rejects %s in a response with HTTP 200", async (_name, body, contentType, code) => {
    const { server } = await serveWebhooks(allow);
    const answer = await post(server, "/raw", body, contentType);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ response: { allowed: false, status: { code } } });
  });

  it("keeps only a few of many large bodies in memory, and answers all of them", async () => {
    const { server } = await serveWebhooks(allow);
    const body = Buffer.from(review({ object: { ...object, metadata: { name: "x".repeat(6_500_000) } } }));
    let sent = 0;
    let mayEnd = (): void => undefined;
    const ending = new Promise<void>((resolve) => (mayEnd = resolve));
    const sendAllButEnd = (): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = { "content-type": "application/json", "content-length": body.length };
        const options = { port: server.port, host: "127.0.0.1", path: "/raw", method: "POST", headers, agent: false };
        const request = httpsRequest({ ...options, rejectUnauthorized: false }, (response) =>
          resolve(response.resume().statusCode),
        );
        request.once("error", reject);
        request.write(body.subarray(0, -1), () => {
          sent++;
          void ending.then(() => request.end(body.subarray(-1)));
        });
      });
    const before = process.memoryUsage().arrayBuffers;
    const answers = Array.from({ length: 12 }, sendAllButEnd);
    await expect.poll(() => sent, patience).toBe(5);
    // While these reviews are answered, the server could read more of the large ones.
    for (let count = 0; count < 20; count++) await admit(server, "/raw", review({}));
    expect({ sent, isBounded: process.memoryUsage().arrayBuffers - before < 48 * 2 ** 20 }).toEqual({
      sent: 5,
      isBounded: true,
    });
    mayEnd();
    expect(await Promise.all(answers)).toEqual(Array(12).fill(200));
  });

  it("neither logs nor returns a part of a body that is not JSON, as it may come from a Secret", async () => {
    const lines: string[] = [];
    const { server } = await serveWebhooks(allow, {}, { log: zapLogger({ write: (line) => lines.push(line) }) });
    const { body } = await post(server, "/raw", '{"data":"s3cr3t" "x"}');
    expect(JSON.parse(body)).toMatchObject({ response: { status: { message: "the request is not JSON" } } });
    expect([...lines, body].join("")).not.toContain("s3cr3t");
  });

  it("logs the path of a request for which none is registered", async () => {
    const { lines, logger: log } = loggedLines();
    const { server } = await serveWebhooks(allow, {}, { log });
    expect((await post(server, "/raw2", review({}))).status).toBe(404);
    const known = { path: "/raw2", paths: ["/raw"] };
    expect(lines).toContainEqual(expect.objectContaining(known));
  });

  it("can have a custom path", async () => {
    const { server } = await serveWebhooks(allow);
    expect((await post(server, "/other", review({}))).status).toBe(404);
    expect(() => allow(server)).toThrow("two webhooks are registered for /raw");
    expect(() => server.register("no-slash", () => admission.allowed())).toThrow("is not a path for a webhook");
  });

  it("uses HTTP/2 only if enabled", async () => {
    const alpn = (server: WebhookServer): Promise<string | false | null> =>
      new Promise((resolve, reject) => {
        const options = {
          port: server.port!,
          host: "127.0.0.1",
          rejectUnauthorized: false,
          ALPNProtocols: ["h2", "http/1.1"],
        };
        const socket = connect(options, () => {
          resolve(socket.alpnProtocol);
          socket.destroy();
        });
        socket.once("error", reject);
      });
    const plain = await serveWebhooks(allow);
    expect(await alpn(plain.server)).toBe("http/1.1");
    const { server } = await serveWebhooks(allow, { http2: true });
    expect(await alpn(server)).toBe("h2");
  });

  it("logs with its log constructor, which gets the HTTP request", async () => {
    const { lines, logger: log } = loggedLines({ level: 5 });
    const seen: unknown[] = [];
    const { server } = await serveWebhooks(
      (_server, manager) =>
        webhookManagedBy(manager, Thing)
          .withValidator({
            validateCreate(_thing, { log, httpRequest }) {
              log.info("asked");
              seen.push(httpRequest?.headers["content-type"], httpRequest?.url);
            },
          })
          .withLogConstructor((base, asked) => base.withValues({ about: asked?.uid ?? "nothing" }))
          .complete(),
      {},
      { log },
    );
    await admit(server, validate, review({ object }));
    await admit(server, validate, "");
    expect(seen).toEqual(["application/json", validate]);
    const asked = lines.find(({ msg }) => msg === "asked");
    expect(asked).toMatchObject({ about: "u-1" });
    expect(asked).not.toHaveProperty("webhookKind");
    expect(lines.find(({ msg }) => msg === "received request")).toMatchObject({ about: "u-1" });
    // As in controller-runtime, which names the request in a field of that line.
    expect(lines.find(({ msg }) => msg === "wrote response")).toMatchObject({ about: "nothing", requestID: "u-1" });
    expect(lines.find(({ msg }) => msg === "bad request")).toMatchObject({ about: "nothing" });
  });

  it("names the object in its lines", async () => {
    const { lines, logger: log } = loggedLines();
    const logs = (_server: WebhookServer, manager: Manager): void => {
      manager.webhookServer.register("/raw", (_request, { log }) => (log.info("raw"), admission.allowed()));
      const create = (_thing: Thing, { log }: AdmissionContext<Thing>): void => log.info("built");
      webhookManagedBy(manager, Thing).withValidator({ validateCreate: create }).complete();
    };
    const { server } = await serveWebhooks(logs, {}, { log });
    const asked = review({ object, namespace: "default", name: "a" });
    await admit(server, "/raw", asked);
    await admit(server, validate, asked);
    const common = { namespace: "default", name: "a", user: "me", requestID: "u-1", resource: { resource: "things" } };
    const key = { namespace: "default", name: "a" };
    expect(lines.find(({ msg }) => msg === "raw")).toMatchObject({ ...common, object: key });
    const built = { ...common, Thing: key, webhookGroup: "cache.example.com", webhookKind: "Thing" };
    expect(lines.find(({ msg }) => msg === "built")).toMatchObject(built);
  });

  it.each([
    [true, 200],
    [false, 500],
  ])("with recoverPanic %s responds to a panic with HTTP %i", async (recoverPanic, status) => {
    const slip = (): never => {
      throw new TypeError("undefined is not a function");
    };
    const { server } = await serveWebhooks((_server, manager) =>
      webhookManagedBy(manager, Thing).withDefaulter({ default: slip }).recoverPanic(recoverPanic).complete(),
    );
    const answer = await post(server, mutate, review({ object }));
    expect(answer.status).toBe(status);
    expect(answer.body.includes("panic: undefined is not a function [recovered]")).toBe(recoverPanic);
  });

  it("has the path of the generated manifests", () => {
    expect(webhookPath("mutate", Thing)).toBe(mutate);
    const Pod = defineKind({ group: "", version: "v1", kind: "Pod", plural: "pods" });
    expect(webhookPath("validate", Pod)).toBe("/validate--v1-pod");
  });

  it("requires a handler", () => {
    const server = new WebhookServer({}, { log: discardLogger, clock: manualClock(new Date(0)), metrics: undefined });
    expect(() => webhookManagedBy({ webhookServer: server } as Manager, Thing).complete()).toThrow("does nothing");
  });
});

describe("a converter", () => {
  interface V1Alpha1 extends KubeObject {
    spec?: { count?: number };
  }
  const V1Alpha1: Kind<V1Alpha1> = defineKind<V1Alpha1>({ ...names, version: "v1alpha1" });
  const V1Beta1: Kind<V1Alpha1> = defineKind<V1Alpha1>({ ...names, version: "v1beta1" });
  const toHub = ({ metadata, spec }: V1Alpha1): Thing => {
    if (spec?.count === 13) throw new Error("13 can't be converted");
    if (spec?.count === 14) throw new TypeError("secret of the program");
    return {
      metadata: { ...metadata, name: "forged", labels: { converted: "yes" } },
      spec: { size: spec?.count ?? 0 },
    };
  };
  const fromHub = ({ metadata, spec }: Thing): V1Alpha1 => ({ metadata, spec: { count: spec?.size ?? 0 } });
  const converter = hubSpoke(Thing, [spoke(V1Alpha1, toHub, fromHub), spoke(V1Beta1, toHub, fromHub)]);
  const builder = (_server: WebhookServer, manager: Manager): void =>
    webhookManagedBy(manager, Thing).withConverter(converter).complete();

  async function convert(objects: object[], desiredAPIVersion: string) {
    const { server } = await serveWebhooks(builder);
    const request = { uid: "c-1", desiredAPIVersion, objects };
    const body = JSON.stringify({ kind: "ConversionReview", apiVersion: "apiextensions.k8s.io/v1", request });
    const { response } = JSON.parse((await post(server, "/convert", body)).body) as {
      response: { uid: string; result: { status: string; message?: string }; convertedObjects: Thing[] };
    };
    expect(response.uid).toBe("c-1");
    return response;
  }

  const old = (name: string, count: number): object => ({
    apiVersion: "cache.example.com/v1alpha1",
    kind: "Thing",
    metadata: { name, uid: `uid-${name}` },
    spec: { count },
  });

  it("converts to the hub, keeps the order, and changes only labels and annotations in metadata", async () => {
    const { result, convertedObjects } = await convert([old("b", 2), old("a", 1)], "cache.example.com/v1");
    expect(result).toMatchObject({ status: "Success" });
    expect(convertedObjects).toEqual([
      { apiVersion: "cache.example.com/v1", kind: "Thing", metadata: { name: "b", uid: "uid-b", labels: { converted: "yes" } }, spec: { size: 2 } },
      { apiVersion: "cache.example.com/v1", kind: "Thing", metadata: { name: "a", uid: "uid-a", labels: { converted: "yes" } }, spec: { size: 1 } },
    ]); // prettier-ignore
  });

  it("can remove the last annotation and the last label", async () => {
    const kept = { name: "a", uid: "uid-a" };
    const without = spoke<V1Alpha1, Thing>(V1Alpha1, () => ({ metadata: {}, spec: { size: 1 } }), fromHub);
    const before = { ...old("a", 1), metadata: { ...kept, labels: { a: "b" }, annotations: { stored: "{}" } } };
    const after = await hubSpoke(Thing, [without]).convert(before, "cache.example.com/v1");
    expect(after.metadata).toEqual(kept);
  });

  it("converts from the hub, and between spokes through the hub", async () => {
    const hub = { ...old("a", 0), apiVersion: "cache.example.com/v1", spec: { size: 4 } };
    const down = await convert([hub], "cache.example.com/v1alpha1");
    expect(down.convertedObjects[0]).toMatchObject({ apiVersion: "cache.example.com/v1alpha1", spec: { count: 4 } });
    const across = await convert([old("a", 5)], "cache.example.com/v1beta1");
    expect(across.convertedObjects[0]).toMatchObject({ apiVersion: "cache.example.com/v1beta1", spec: { count: 5 } });
  });

  it.each([
    ["an error of the program", [old("a", 14)], "cache.example.com/v1", "internal error occurred during conversion"],
    [
      "one object that cannot be converted",
      [old("a", 1), old("b", 13)],
      "cache.example.com/v1",
      "13 can't be converted",
    ],
    ["an unknown version", [old("a", 1)], "cache.example.com/v9", "no conversion for Thing.cache.example.com version"],
    ["the same version", [old("a", 1)], "cache.example.com/v1alpha1", "not allowed between same type"],
    [
      "another kind",
      [{ ...old("a", 1), kind: "Other" }],
      "cache.example.com/v1",
      "no converter is registered for Other",
    ],
  ])("fails as a whole for %s", async (_name, objects, version, message) => {
    const { result, convertedObjects } = await convert(objects, version);
    expect(result.status).toBe("Failure");
    expect(result.message).toContain(message);
    expect(convertedObjects).toBeNull();
  });

  it("responds with 400 to an invalid review", async () => {
    const { server } = await serveWebhooks(builder);
    expect((await post(server, "/convert", "{}")).status).toBe(400);
  });

  it("rejects a duplicate version, and spokes of another kind", () => {
    const again = spoke(V1Alpha1, toHub, fromHub);
    expect(() => hubSpoke(Thing, [again, again])).toThrow("can't be a spoke");
    const Other = defineKind({ group: "x", version: "v1", kind: "Other", plural: "others" });
    expect(() => hubSpoke(Thing, [spoke(Other as Kind<V1Alpha1>, toHub, fromHub)])).toThrow("can't be a spoke");
  });
});

describe("the serving certificate", () => {
  function folder(): string {
    const path = mkdtempSync(join(tmpdir(), "certs-"));
    onTestFinished(() => rmSync(path, { recursive: true }));
    return path;
  }

  function write(path: string, name: string): void {
    const { server } = issueCertificates([name], Date.now());
    writeFileSync(join(path, "tls.crt"), server.cert);
    writeFileSync(join(path, "tls.key"), server.key);
  }

  it("is required if its folder is configured, and must match its key", async () => {
    const certDir = folder();
    await expect(serveWebhooks(() => undefined, { certDir })).rejects.toMatchObject({
      code: "TSOP_SERVING_CERTIFICATE",
    });
    await expect(serveWebhooks(() => undefined, { certDir })).rejects.toThrow("there is no such file");
    write(certDir, "a.example.com");
    writeFileSync(join(certDir, "tls.key"), issueCertificates(["b"], Date.now()).server.key);
    await expect(serveWebhooks(() => undefined, { certDir })).rejects.toThrow("do not belong together");
  });

  it("still makes the server verify clients after it is replaced", async () => {
    const certDir = folder();
    write(certDir, "first.example.com");
    const { cert, key } = clientCertificate();
    writeFileSync(join(certDir, "clients.crt"), cert);
    const { server, clock } = await serveWebhooks((each) => each.register("/raw", () => admission.allowed()), {
      certDir,
      clientCAName: "clients.crt",
    });
    /** Returns the name in the server's certificate, and whether the server responds to this client certificate. */
    const readServed = (own: object): Promise<string> =>
      new Promise((resolve) => {
        const options = { host: "127.0.0.1", port: server.port, rejectUnauthorized: false, agent: false, path: "/raw" };
        const request = httpsRequest({ ...options, ...own, method: "POST" }, (response) => {
          const { subjectaltname } = (response.socket as TLSSocket).getPeerCertificate();
          resolve(`${response.resume().statusCode} ${subjectaltname}`);
        });
        request.once("error", () => resolve("refused")).end();
      });
    expect(await readServed({ cert, key })).toBe("200 DNS:first.example.com");
    expect(await readServed({})).toBe("refused");
    write(certDir, "second.example.com");
    const readName = async (): Promise<string> => {
      await clock.advance(10_000);
      return readServed({ cert, key });
    };
    await expect.poll(readName, patience).toBe("200 DNS:second.example.com");
    expect(await readServed({})).toBe("refused");
    const stranger = issueCertificates(["x"], Date.now()).server;
    expect(await readServed({ cert: stranger.cert, key: stranger.key })).toBe("refused");
  });

  it("says how to disable it if its port is in use", async () => {
    const { server } = await serveWebhooks(() => undefined);
    await expect(serveWebhooks(() => undefined, { port: server.port! })).rejects.toMatchObject({
      hint: "another program uses the port: choose one with --webhook-port, or -1 to switch the server off",
    });
  });

  it("has a health check that reports whether the server accepts connections", async () => {
    const stopped = new WebhookServer(
      { port: 0 },
      { log: discardLogger, clock: manualClock(new Date(0)), metrics: undefined },
    );
    await expect(stopped.startedChecker()(undefined as never)).rejects.toThrow("not been started");
    const { server: disabled } = await serveWebhooks(() => undefined, { port: -1 });
    expect(disabled.port).toBeUndefined();
    await expect(disabled.startedChecker()(undefined as never)).resolves.toBeUndefined();
    const { server, end } = await serveWebhooks(() => undefined);
    await expect(server.startedChecker()(undefined as never)).resolves.toBeUndefined();
    await end();
    await expect(server.startedChecker()(undefined as never)).rejects.toThrow("ECONNREFUSED");
  });
});
