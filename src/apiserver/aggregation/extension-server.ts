import type { IncomingMessage } from "node:http";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { request, type RequestOptions } from "node:https";
import { items } from "../../apimachinery/fields.ts";
import { encodeHeader } from "../../apimachinery/header-text.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import type { ServerRequest, ServerResponse, User } from "../api-server.ts";
import { connectionProblem, readText } from "../post-json.ts";
import type { ApiServiceSpec } from "../kinds/apiregistration/api-service.ts";
import type { ExtensionResource } from "../registry/resource-registry.ts";
import {
  createAuthority,
  issueClientCertificate,
  type Certificate,
} from "../../apimachinery/certificates/issue-certificates.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import { storageKey, type Store } from "../storage/store.ts";

/** The answer of an extension server to the question for its resources, or the reason why it is not available. */
export type Discovery = { readonly resources: readonly ExtensionResource[] } | { readonly problem: string };

const discoveryTimeoutMs = 5_000;
const aggregator: User = { username: "system:kube-aggregator", groups: ["system:masters"] };

/** A server that answers for a version of an API. */
export class ExtensionServer {
  private readonly origin: string;
  private readonly spec: ApiServiceSpec;
  private readonly proxy: FrontProxy;

  constructor(origin: string, spec: ApiServiceSpec, proxy: FrontProxy) {
    this.origin = origin;
    this.spec = spec;
    this.proxy = proxy;
  }

  /** Asks for the resources, which shows whether the server is available. */
  async discover(): Promise<Discovery> {
    const path = `/apis/${this.spec.group}/${this.spec.version}`;
    const url = this.origin + path;
    const signal = AbortSignal.timeout(discoveryTimeoutMs);
    try {
      const response = await this.send({ method: "GET", url: path, headers: {}, body: none }, aggregator, signal);
      const text = await readText(response);
      const { statusCode: status = 0 } = response;
      return status < 200 || status > 299
        ? { problem: `bad status from ${url}: ${status}` }
        : { resources: parse(text) };
    } catch (error) {
      const problem = connectionProblem(error, new URL(url), signal);
      return { problem: `failing or missing response from ${url}: Get "${url}": ${problem}` };
    }
  }

  /** Passes a request on, with the name of its user. */
  async answer(asked: ServerRequest): Promise<ServerResponse> {
    try {
      const response = await this.send(asked, asked.user, asked.signal);
      const { statusCode: status = 502 } = response;
      return { status, headers: passedOn(response.headers), body: response.setEncoding("latin1"), binary: true };
    } catch (error) {
      const problem = connectionProblem(error, new URL(this.origin), asked.signal);
      const headers = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
      return { status: 503, headers, body: `error trying to reach service: ${problem}\n` };
    }
  }

  private send(
    { method, url, headers, body }: Pick<ServerRequest, "method" | "url" | "headers" | "body">,
    user: User,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { hostname, port } = new URL(this.origin);
    const options: RequestOptions = {
      method,
      hostname,
      port: port || 443,
      // As it is: a URL would resolve the dots of a path.
      path: url,
      signal,
      agent: false,
      headers: { ...passedOn(headers), ...identityOf(user), ...(body.length > 0 && { "content-length": body.length }) },
      ...this.proxy.certificate,
      ...this.trust(),
    };
    return new Promise((resolve, reject) => {
      const sent = request(options, resolve);
      sent.once("error", reject);
      sent.end(body);
    });
  }

  private trust(): RequestOptions {
    const { service, caBundle, insecureSkipTLSVerify = false } = this.spec;
    const name = `${service?.name}.${service?.namespace}.svc`;
    return {
      servername: name,
      rejectUnauthorized: !insecureSkipTLSVerify,
      ...(caBundle && { ca: Buffer.from(caBundle, "base64").toString(), allowPartialTrustChain: true }),
      checkServerIdentity: (_: string, certificate: PeerCertificate) => checkServerIdentity(name, certificate),
    };
  }
}

const none = new Uint8Array();

/** Reads an APIResourceList, without malformed resources: one server must not break discovery as a whole. */
function parse(text: string): ExtensionResource[] {
  try {
    return items(JSON.parse(text) as UnstructuredObject, "resources").filter(
      isResource,
    ) as unknown as ExtensionResource[];
  } catch {
    return []; // it answers, and that is what counts
  }
}

function isResource({ name, kind, verbs, shortNames, categories }: Record<string, unknown>): boolean {
  const lists = [verbs, shortNames, categories];
  return (
    typeof name === "string" &&
    typeof kind === "string" &&
    lists.every((each) => each === undefined || Array.isArray(each))
  );
}

/** Headers of one connection, and those by which a client could claim to be another user. */
const ownHeaders =
  /^(host|connection|keep-alive|transfer-encoding|upgrade|expect|te|trailer|content-length|authorization|proxy-.*|impersonate-.*|x-remote-.*)$/;

function passedOn<T>(headers: Readonly<Record<string, T | undefined>>): Record<string, T> {
  const entries = Object.entries(headers).filter(([name, value]) => value !== undefined && !ownHeaders.test(name));
  return Object.fromEntries(entries) as Record<string, T>;
}

function identityOf({ username, uid, groups, extra = {} }: User): Record<string, string | string[]> {
  const more = Object.entries(extra).map(([key, values]) => [
    `x-remote-extra-${escapeKey(key)}`,
    values.map(encodeHeader),
  ]);
  return {
    "x-remote-user": encodeHeader(username),
    ...(uid && { "x-remote-uid": encodeHeader(uid) }),
    "x-remote-group": groups.map(encodeHeader),
    ...(Object.fromEntries(more) as Record<string, string[]>),
  };
}

function escapeKey(key: string): string {
  return encodeURIComponent(key).replaceAll("(", "%28").replaceAll(")", "%29");
}

/** The name in the certificate with which the server passes requests on. */
const clientName = "front-proxy-client";

/** The identity of the server towards extension servers, which name the user of a request by its headers. */
export class FrontProxy {
  private readonly authority: Certificate;
  private readonly now: number;
  private issued: Certificate | undefined;

  constructor(now: number) {
    this.authority = createAuthority(now);
    this.now = now;
  }

  /** The client certificate, issued when it is first used. */
  get certificate(): Certificate {
    return (this.issued ??= issueClientCertificate(this.authority, clientName, this.now));
  }

  /** Publishes whom extension servers may trust, in the ConfigMap from which they read it on any cluster. */
  publish(store: Store, { uid, now }: { readonly uid: () => string; readonly now: string }): void {
    const [namespace, name] = ["kube-system", "extension-apiserver-authentication"];
    const collection = store.collection({ group: "", plural: "configmaps" });
    const key = storageKey(namespace, name);
    const previous = collection.get(key);
    const data = {
      "requestheader-allowed-names": JSON.stringify([clientName]),
      "requestheader-client-ca-file": this.authority.cert,
      "requestheader-extra-headers-prefix": JSON.stringify(["X-Remote-Extra-"]),
      "requestheader-group-headers": JSON.stringify(["X-Remote-Group"]),
      "requestheader-uid-headers": JSON.stringify(["X-Remote-Uid"]),
      "requestheader-username-headers": JSON.stringify(["X-Remote-User"]),
    };
    if (equalJson(previous?.["data"], data)) return;
    const metadata = previous?.metadata ?? { name, namespace, uid: uid(), creationTimestamp: now };
    const object: UnstructuredObject = { apiVersion: "v1", kind: "ConfigMap", metadata, data };
    store.commit(collection, key, { previous, object });
  }
}
