import { request } from "node:https";
import type { OperatorSetUp } from "./operator.ts";

const apiVersion = "differential.example.com/v1alpha1";
const hubVersion = "differential.example.com/v1";
const validate = "/validate-differential-example-com-v1alpha1-memcached";
const mutate = "/mutate-differential-example-com-v1alpha1-memcached";

interface Case {
  readonly path: string;
  readonly body: string;
  readonly contentType?: string;
}

const metadata = { name: "a", namespace: "default" };

function memcached(spec: object, version = apiVersion): object {
  return { apiVersion: version, kind: "Memcached", metadata, spec };
}

function admission(operation: string, objects: { object?: object; oldObject?: object }, version = "v1"): string {
  const kind = { group: "differential.example.com", version: "v1alpha1", kind: "Memcached" };
  const resource = { group: "differential.example.com", version: "v1alpha1", resource: "memcacheds" };
  const request = { uid: "u-1", kind, resource, name: "a", namespace: "default", operation, userInfo: { username: "me" }, options: null, ...objects }; // prettier-ignore
  return JSON.stringify({ apiVersion: `admission.k8s.io/${version}`, kind: "AdmissionReview", request });
}

function conversion(desiredAPIVersion: string, ...objects: object[]): string {
  const request = { uid: "u-2", desiredAPIVersion, objects };
  return JSON.stringify({ apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", request });
}

/** Addresses the handler that demonstrates a helper for responses, by the name of the object. */
const raw = (name: string): Case => ({
  path: "/raw",
  body: admission("CREATE", { object: memcached({ mode: "a" }) }).replace('"name":"a"', `"name":"${name}"`),
});

const create = (spec: object, version?: string): string => admission("CREATE", { object: memcached(spec) }, version);
const update = (from: object, to: object): string =>
  admission("UPDATE", { object: memcached(to), oldObject: memcached(from) });
const remove = (spec: object): string => admission("DELETE", { oldObject: memcached(spec) });

const cases: Readonly<Record<string, Case>> = {
  "a default": { path: mutate, body: create({}) },
  "a default of an old review": { path: mutate, body: create({}, "v1beta1") },
  "nothing to default": { path: mutate, body: create({ size: 1 }) },
  "a default for an update": { path: mutate, body: update({ size: 1 }, {}) },
  "no default for a deletion": { path: mutate, body: remove({}) },
  "a defaulter that refuses": { path: mutate, body: create({ mode: "error" }) },
  "a defaulter that panics": { path: mutate, body: create({ mode: "panic" }) },
  "a valid object": { path: validate, body: create({ size: 1 }) },
  "a warning": { path: validate, body: create({ size: 6 }) },
  "an invalid object": { path: validate, body: create({ size: 8 }) },
  "an invalid update": { path: validate, body: update({ size: 3 }, { size: 2 }) },
  "a valid update": { path: validate, body: update({ size: 2 }, { size: 3 }) },
  "a deletion": { path: validate, body: remove({ size: 1 }) },
  "a refused deletion with a warning": { path: validate, body: remove({ size: 6 }) },
  "a validator that panics": { path: validate, body: create({ mode: "panic" }) },
  "an operation that nobody knows": { path: validate, body: admission("DANCE", { object: memcached({}) }) },
  "a connection": { path: validate, body: admission("CONNECT", {}) },
  "a create without an object": { path: validate, body: admission("CREATE", {}) },
  "an empty body": { path: validate, body: "" },
  "a body that is not JSON": { path: validate, body: "{" },
  "a body of another kind": { path: validate, body: JSON.stringify({ apiVersion: "v1", kind: "Pod" }) },
  "another content type": { path: validate, body: create({}), contentType: "text/plain" },
  "a content type with a charset": { path: validate, body: create({}), contentType: "application/json; charset=utf-8" },
  "a body that is too large": { path: validate, body: " ".repeat(7 * 1024 * 1024) },
  "a path that nobody serves": { path: "/validate-nothing", body: create({}) },
  "a raw handler that allows": raw("allowed"),
  "a raw handler that allows with a message": raw("allowed-with-message"),
  "a raw handler that denies": raw("denied"),
  "a raw handler that fails": raw("errored"),
  "a raw handler that patches": raw("patched"),
  "a raw handler that patches from two states": raw("patched-from"),
  "a raw handler whose check went well, with warnings": raw("validation-allowed"),
  "a raw handler whose check went badly, with a warning": raw("validation-denied"),
  "to the hub": { path: "/convert", body: conversion(hubVersion, memcached({ size: 1 }), memcached({ size: 2 })) },
  "from the hub": { path: "/convert", body: conversion(apiVersion, memcached({ replicas: 4 }, hubVersion)) },
  "to its own version": { path: "/convert", body: conversion(apiVersion, memcached({ size: 1 })) },
  "what can't be converted": { path: "/convert", body: conversion(hubVersion, memcached({ size: 1 }), memcached({ size: 101 })) }, // prettier-ignore
  "to a version that is not there": { path: "/convert", body: conversion("differential.example.com/v9", memcached({})) },
  "a kind that nobody converts": { path: "/convert", body: conversion("example.com/v2", { apiVersion: "example.com/v1", kind: "Other", metadata }) }, // prettier-ignore
  "a list of nothing": { path: "/convert", body: conversion(hubVersion) },
  "a conversion that is no JSON": { path: "/convert", body: "{" },
}; // prettier-ignore

/** Sends every review as an API server does, and returns the responses. */
export async function answerReviews({ webhookPort }: OperatorSetUp): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(cases)) answers[name] = await post(webhookPort, each);
  return answers;
}

function post(port: number, { path, body, contentType = "application/json" }: Case): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": contentType, "content-length": Buffer.byteLength(body) };
    const options = { host: "127.0.0.1", port, path, method: "POST", headers, agent: false, rejectUnauthorized: false };
    const sent = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.once("end", () => resolve({ status: response.statusCode, body: decodePatch(text) }));
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

/** Decodes the patch into operations; their order does not matter here. */
function decodePatch(text: string): unknown {
  try {
    const review = JSON.parse(text) as { response?: { patch?: unknown } };
    if (typeof review.response?.patch === "string") {
      const operations = JSON.parse(Buffer.from(review.response.patch, "base64").toString()) as object[];
      review.response.patch = operations.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    }
    return review;
  } catch {
    return text; // not a review: the text is the response
  }
}
