import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { issueCertificates } from "../../../src/apimachinery/certificates/issue-certificates.ts";

/** Webhooks for the scenarios: `{webhook}` and `{ca}` in their requests are its address and its authority. */
export interface WebhookServer {
  readonly words: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Answers each path in its own way; the same program is asked by both targets. */
export async function startWebhookServer(): Promise<WebhookServer> {
  const { ca, server: certificate } = issueCertificates(["127.0.0.1"], Date.now());
  const server = createServer({ cert: certificate.cert, key: certificate.key }, (request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.once("end", () => {
      const { pathname } = new URL(request.url ?? "/", "https://localhost");
      const answer = answers[pathname];
      if (answer === undefined) response.writeHead(404).end();
      else if (typeof answer === "number") response.writeHead(answer).end("out of order");
      else if (typeof answer === "string") response.end(answer);
      // Never in time: the server's own patience is what is tested.
      else if (pathname === "/slow") request.socket.setTimeout(5_000, () => request.socket.destroy());
      else {
        response.setHeader("content-type", "application/json");
        const review = JSON.parse(text) as { request: any };
        const result = { uid: review.request.uid, ...answer(review.request) };
        response.end(JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: result }));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    words: { webhook: `https://127.0.0.1:${port}`, ca: Buffer.from(ca).toString("base64") },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Answer = string | number | ((request: any) => Record<string, unknown>);

const patching = (...operations: unknown[]) => ({
  allowed: true,
  patchType: "JSONPatch",
  patch: Buffer.from(JSON.stringify(operations)).toString("base64"),
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
  "/patch-nothing": () => patching({ op: "replace", path: "/none/where", value: "x" }),
  "/patch-wrongly": () => patching({ op: "add", path: "/data", value: { patched: 7 } }),
  "/patch-untyped": () => ({ ...patching({ op: "add", path: "/data", value: {} }), patchType: undefined }),
  "/patch-text": () => ({ allowed: true, patchType: "JSONPatch", patch: Buffer.from("text").toString("base64") }),
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
  const name = request.name.replace(/^(gen-)\w{5}$/, "$1<suffix>");
  return { ...request, name, user: userInfo.username, object: shape(object), old: shape(oldObject) };
}

/** Which fields of an object a webhook sees. */
function shape(object: any): unknown {
  if (!object) return object;
  const { metadata, ...rest } = object;
  return Object.fromEntries([...Object.entries(rest).toSorted(), ["metadata", Object.keys(metadata).toSorted()]]);
}
