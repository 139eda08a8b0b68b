import { createServer as createServerInClear, type RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { sortMembers } from "../../../src/apimachinery/sort-members.ts";
import { issueCertificates } from "../../../src/apimachinery/certificates/issue-certificates.ts";
import { convertReview } from "./convert-review.ts";

/**
 * Webhooks for the scenarios: `{webhook}`, `{ca}` and `{cert}` in their requests are its address, its authority and its
 * own certificate.
 */
export interface WebhookServer {
  readonly words: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Answers each path in its own way; the same program is asked by both targets. */
export async function startWebhookServer(): Promise<WebhookServer> {
  const { ca, server: certificate } = issueCertificates(["127.0.0.1"], Date.now());
  const listener: RequestListener = (request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.once("end", () => {
      const { pathname } = new URL(request.url ?? "/", "https://localhost");
      const answer = answers[pathname];
      if (pathname === "/convert") response.end(JSON.stringify(convertReview(JSON.parse(text))));
      else if (answer === undefined) response.writeHead(404).end();
      else if (typeof answer === "number") response.writeHead(answer).end("out of order");
      else if (typeof answer === "string") response.end(answer);
      else if (typeof answer === "object") {
        const { location = "", ...headers } = answer.headers ?? {};
        const redirect = location && { location: location.replace("{clear}", `http://127.0.0.1:${portOf(clear)}`) };
        response.writeHead(answer.status, { "content-type": "application/json", ...headers, ...redirect });
        response.end(answer.text);
      }
      // A redirect may have turned the request into a GET without a body.
      else if (request.method !== "POST") response.writeHead(405).end();
      // Never in time: the server's own patience is what is tested.
      else if (pathname === "/slow") request.socket.setTimeout(5_000, () => request.socket.destroy());
      else {
        response.setHeader("content-type", "application/json");
        const review = JSON.parse(text) as { request: any };
        const { reviewVersion = "v1", ...answered } = answer(review.request);
        const result = { uid: review.request.uid, ...answered };
        const apiVersion = `admission.k8s.io/${String(reviewVersion)}`;
        response.end(JSON.stringify({ apiVersion, kind: "AdmissionReview", response: result }));
      }
    });
  };
  const server = createServer({ cert: certificate.cert, key: certificate.key }, listener);
  const clear = createServerInClear(listener);
  const servers = [server, clear];
  const listening = servers.map((each) => new Promise<void>((resolve) => each.listen(0, "127.0.0.1", resolve)));
  await Promise.all(listening);
  return {
    words: {
      webhook: `https://127.0.0.1:${portOf(server)}`,
      ca: Buffer.from(ca).toString("base64"),
      cert: Buffer.from(certificate.cert).toString("base64"),
    },
    stop: async () => {
      const closed = servers.map((each) => new Promise((resolve) => each.close(resolve)));
      for (const each of servers) each.closeAllConnections();
      await Promise.all(closed);
    },
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

type Answer = string | number | WholeAnswer | ((request: any) => Record<string, unknown>);

interface WholeAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const patchOf = (value: unknown) => ({
  allowed: true,
  patchType: "JSONPatch",
  patch: Buffer.from(JSON.stringify(value)).toString("base64"),
});
const patching = (...operations: unknown[]) => patchOf(operations);
const adding = (path: string, value: unknown) => () => patching({ op: "add", path, value });
const failure = (code: number, more: Record<string, unknown> = {}): WholeAnswer => ({
  status: code,
  text: JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", message: "so it is", code, ...more }),
});
const redirect = (status: number, location: string): WholeAnswer => ({
  status,
  text: "elsewhere",
  headers: { location },
});
const denied = (status?: Record<string, unknown>) => () => ({ allowed: false, ...(status && { status }) });

const answers: Readonly<Record<string, Answer>> = {
  "/allow": () => ({ allowed: true }),
  "/deny": denied({ message: "not today" }),
  "/deny-silently": denied(),
  "/deny-reason": denied({ reason: "Because" }),
  "/deny-forbidden": denied({ code: 403, reason: "Forbidden", message: "keep out" }),
  "/deny-teapot": denied({ code: 418, message: "short and stout" }),
  "/deny-success": denied({ code: 200, message: "odd" }),
  "/warn": () => ({ allowed: true, warnings: ["first warning", 'a "second" one'] }),
  "/other-uid": () => ({ uid: "other", allowed: true }),
  "/no-response": JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" }),
  "/other-version": JSON.stringify({ apiVersion: "admission.k8s.io/v9", kind: "AdmissionReview", response: {} }),
  "/error": 500,
  "/refused": 401,
  "/slow": () => ({}),
  "/patch": () => patching({ op: "add", path: "/data", value: { patched: "yes" } }),
  "/copy-limits": ({ object }) =>
    patching({
      op: "add",
      path: "/metadata/labels/cpu",
      value: object.spec.containers[0].resources.limits?.cpu ?? "none",
    }),
  "/patch-nothing": () => patching({ op: "replace", path: "/none/where", value: "x" }),
  "/patch-wrongly": () => patching({ op: "add", path: "/data", value: { patched: 7 } }),
  "/patch-untyped": () => ({ ...patching({ op: "add", path: "/data", value: {} }), patchType: undefined }),
  "/patch-text": () => ({ allowed: true, patchType: "JSONPatch", patch: Buffer.from("text").toString("base64") }),
  "/deny-details": denied({
    code: 422,
    status: "Failure",
    reason: "Invalid",
    message: "no",
    metadata: { resourceVersion: "7" },
    details: {
      name: "n",
      group: "g",
      kind: "k",
      uid: "u",
      causes: [{ reason: "FieldValueInvalid", message: "m", field: "spec.f" }],
      retryAfterSeconds: 3,
    },
  }),
  "/deny-typed": denied({ code: "403", message: "a code that is text" }),
  "/deny-403": denied({ code: 403, message: "no reason" }),
  "/deny-403-silently": denied({ code: 403 }),
  "/deny-404": denied({ code: 404, message: "no reason" }),
  "/deny-message-list": denied({ message: ["a"] }),
  "/deny-reason-number": denied({ reason: 7 }),
  "/deny-details-text": denied({ message: "m", details: "d" }),
  "/deny-causes-map": denied({ message: "m", details: { causes: {} } }),
  "/deny-status-map": denied({ message: "m", status: {} }),
  "/deny-unknown": denied({ message: "m", unknown: { a: 1 } }),
  "/deny-nulls": denied({ message: null, reason: null, code: null, details: null, metadata: null, status: null }),
  "/allow-nulls": () => ({
    allowed: true,
    patch: null,
    patchType: null,
    status: null,
    warnings: null,
    auditAnnotations: null,
  }),
  "/warn-text": () => ({ allowed: true, warnings: "one" }),
  "/warn-numbers": () => ({ allowed: true, warnings: [1] }),
  "/warn-null": () => ({ allowed: true, warnings: [null, "two"] }),
  "/annotations-list": () => ({ allowed: true, auditAnnotations: ["a"] }),
  "/annotations-number": () => ({ allowed: true, auditAnnotations: { a: 1 } }),
  "/http-500-empty": { status: 500, text: "" },
  "/http-500-untyped": { status: 500, text: "", headers: { "content-type": "text/plain" } },
  "/http-500-html": { status: 500, text: "<p>", headers: { "content-type": "text/html" } },
  "/allow-text": () => ({ allowed: "yes" }),
  "/patch-map": () => patchOf({ op: "add", path: "/data", value: {} }),
  "/patch-null": () => patchOf(null),
  "/patch-number": () => patchOf([1]),
  "/patch-nulls": () => patchOf([null]),
  "/patch-empty": () => patchOf([]),
  "/patch-no-op": () => patching({ path: "/data", value: {} }),
  "/patch-unknown-op": () => patching({ op: "bad", path: "/data", value: {} }),
  "/patch-no-path": () => patching({ op: "add", value: {} }),
  "/patch-no-value": () => patching({ op: "add", path: "/data" }),
  "/patch-root": () => patching({ op: "replace", path: "", value: { data: { root: "yes" } } }),
  "/patch-test": () => patching({ op: "test", path: "/kind", value: "Other" }),
  "/patch-remove-none": () => patching({ op: "remove", path: "/none" }),
  "/patch-encoding": () => ({ allowed: true, patchType: "JSONPatch", patch: "!!" }),
  "/patch-no-text": () => ({ allowed: true, patchType: "JSONPatch", patch: "" }),
  "/patch-merge": () => ({ ...patching(), patchType: "MergePatch" }),
  "/patch-type-alone": () => ({ allowed: true, patchType: "JSONPatch" }),
  "/patch-denied": () => ({ ...patching({ op: "add", path: "/data", value: {} }), allowed: false }),
  "/beta": () => ({ reviewVersion: "v1beta1", uid: "", allowed: true }),

  "/http-500-status": failure(500, { reason: "InternalError" }),
  "/http-403-status": failure(403, { reason: "Forbidden", details: { name: "x" } }),
  "/http-422-status": failure(422, { reason: "Invalid" }),
  "/http-409": 409,
  "/http-503": 503,
  "/http-204": { status: 204, text: "" },
  "/http-empty": { status: 200, text: "" },
  "/http-null": { status: 200, text: "null" },
  "/http-array": { status: 200, text: "[]" },
  "/http-206": { status: 206, text: "null" },
  "/http-207": { status: 207, text: "null" },
  "/redirect-300": redirect(300, "/deny"),
  "/redirect-301": redirect(301, "/deny"),
  "/redirect-302": redirect(302, "/deny"),
  "/redirect-303": redirect(303, "/deny"),
  "/redirect-304": redirect(304, "/deny"),
  "/redirect-305": redirect(305, "/deny"),
  "/redirect-307": redirect(307, "/deny"),
  "/redirect-308": redirect(308, "/deny"),
  "/redirect-relative": redirect(307, "deny"),
  "/redirect-twice": redirect(308, "/redirect-307"),
  "/redirect-loop": redirect(307, "/redirect-loop"),
  "/redirect-to-none": redirect(307, "/none"),
  "/redirect-to-get": redirect(302, "/http-null"),
  "/redirect-nowhere": { status: 307, text: "gone" },
  "/redirect-nowhere-302": { status: 302, text: "gone" },
  "/redirect-closed": redirect(307, "https://127.0.0.1:1/deny"),
  "/redirect-clear": redirect(307, "{clear}/deny"),
  "/redirect-scheme": redirect(307, "ftp://127.0.0.1/deny"),
  "/spec-unknown": adding("/spec/unknown", { a: 1 }),
  "/spec-deep": adding("/spec/deep", { unknown: 1, x: "y" }),
  "/spec-invalid": adding("/spec/n", 0),
  "/spec-type": adding("/spec/x", 7),
  "/spec-null": adding("/spec/x", null),
  "/spec-none": adding("/spec", null),
  "/status-add": adding("/status", { phase: "Set" }),
  "/meta-label": adding("/metadata/labels/bad", "-"),
  "/meta-number": adding("/metadata/labels/bad", 1),
  "/meta-unknown": adding("/metadata/unknown", "x"),
  "/meta-name": adding("/metadata/name", "other"),
  "/meta-namespace": adding("/metadata/namespace", "default"),
  "/meta-uid": adding("/metadata/uid", "other"),
  "/meta-generation": adding("/metadata/generation", 7),
  "/meta-version": adding("/metadata/resourceVersion", "7"),
  "/kind-other": adding("/kind", "Other"),
  "/version-other": adding("/apiVersion", "hooked.example.com/v2"),
  "/top-unknown": adding("/unknown", "x"),
  "/target-other": adding("/target/name", "other"),
  "/replicas-seven": adding("/spec/replicas", 7),
  "/dry-eviction": adding("/deleteOptions", { dryRun: ["All"] }),
  "/audience": adding("/spec/audiences", ["other"]),
  "/append-a": (request) => append(request, "a"),
  "/append-b": (request) => append(request, "b"),
  "/tell": (request) => ({ allowed: false, status: { message: JSON.stringify(told(request)) } }),
};

/** Notes in the object that this webhook was called. */
function append({ object }: any, letter: string): Record<string, unknown> {
  const value = `${object.data?.calls ?? ""}${letter}`;
  return patching(
    object.data ? { op: "add", path: "/data/calls", value } : { op: "add", path: "/data", value: { calls: value } },
  );
}

/** A request without what differs from run to run. */
function told(asked: any): unknown {
  const { uid: _, userInfo, object, oldObject, ...request } = asked;
  const name = request.name?.replace(/^(gen-)\w{5}$/, "$1<suffix>");
  return { ...request, name, user: userInfo.username, object: shape(object), old: shape(oldObject) };
}

/** Which fields of an object a webhook sees. */
function shape(object: any): unknown {
  if (!object) return object;
  const { metadata, ...rest } = object;
  return { ...(sortMembers(rest) as object), ...(metadata && { metadata: Object.keys(metadata).toSorted() }) };
}
