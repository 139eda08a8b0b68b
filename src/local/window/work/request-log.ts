import {
  type AuditEvent,
  type AuditedWebhookCall,
  requestText,
  responseText,
} from "../../../apiserver/audit/audit-event.ts";
import { emitYaml } from "../../../apimachinery/yaml/emit.ts";
import { isObject } from "../../../apimachinery/is-object.ts";
import { parseJsonObjectOrUndefined } from "../../../apimachinery/parse-json-object.ts";
import type { RequestDetail, RequestRow, WebhookRow, WriteRow } from "../contract.ts";
import { BoundedLog } from "./bounded-log.ts";
import { requestRow } from "./describe-request.ts";

/** A write and the version that it led to. */
export interface TracedWrite extends WriteRow {
  readonly resourceVersion: string | undefined;
}

interface Entry {
  readonly row: RequestRow;
  readonly id: string;
  readonly url: string;
  readonly sent: string;
  readonly message: string | undefined;
  readonly webhooks: readonly AuditedWebhookCall[];
  writes: readonly TracedWrite[];
}

/** The longest body that is kept. */
const longestBody = 64 * 1024;
/** The characters of all bodies that are kept. */
const largestBodies = 64 * 1024 * 1024;

/** The newest requests, with the versions that they wrote. */
export class RequestLog {
  private readonly log: BoundedLog<number, Entry>;
  /** The request that wrote a version of an object, by `namespace/name version`. */
  private readonly writers = new Map<string, number>();
  private readonly byReconcile = new Map<string, number[]>();
  private last = 0;

  constructor(capacity = 10_000) {
    this.log = new BoundedLog({
      capacity,
      sizeOf: ({ sent, webhooks }) => webhooks.reduce((sum, { request }) => sum + request.length, sent.length),
      largest: largestBodies,
      onDrop: ({ row, writes }) => {
        for (const write of writes) this.writers.delete(writeId(write.key, write.resourceVersion));
        if (row.reconcile !== undefined) this.byReconcile.delete(row.reconcile);
      },
    });
  }

  get dropped(): number {
    return this.log.dropped;
  }

  /** The number of the next request. */
  get next(): number {
    return this.last + 1;
  }

  add(event: AuditEvent, reconcile: string | undefined, writes: readonly TracedWrite[]): RequestRow {
    const n = ++this.last;
    const row = requestRow(n, event, reconcile);
    const { id, request, response, webhookCalls } = event;
    const sent = requestText(request);
    this.log.add(n, {
      row,
      id,
      url: request.url,
      sent: sent.length > longestBody ? `${sent.slice(0, longestBody)}…` : sent,
      message: messageOf(response),
      webhooks: webhookCalls,
      writes,
    });
    for (const write of writes) this.writers.set(writeId(write.key, write.resourceVersion), n);
    if (reconcile !== undefined) {
      const known = this.byReconcile.get(reconcile);
      if (known) known.push(n);
      else this.byReconcile.set(reconcile, [n]);
    }
    return row;
  }

  *rows(): Generator<RequestRow> {
    for (const { row } of this.log.values()) yield row;
  }

  /** Returns the request that wrote a version of an object. */
  writerOf(key: string, resourceVersion: string): RequestRow | undefined {
    const n = this.writers.get(writeId(key, resourceVersion));
    return n === undefined ? undefined : this.log.get(n)?.row;
  }

  ofReconcile(id: string): RequestRow[] {
    return (this.byReconcile.get(id) ?? []).flatMap((n) => this.log.get(n)?.row ?? []);
  }

  writesOf(n: number): readonly TracedWrite[] {
    return this.log.get(n)?.writes ?? [];
  }

  detail(n: number): Omit<RequestDetail, "caused"> | undefined {
    const entry = this.log.get(n);
    if (!entry) return undefined;
    const { row, url, message, sent, writes, webhooks } = entry;
    const marker = /\/\/ (\+kubebuilder:rbac:\S+)/.exec(message ?? "")?.[1];
    return {
      row,
      url,
      ...(message !== undefined && { message }),
      ...(marker !== undefined && { marker: `// ${marker}` }),
      sent: readable(sent),
      writes,
      webhooks: webhooks.map(webhookRow),
    };
  }
}

function writeId(key: string, resourceVersion: string | undefined): string {
  return `${key} ${resourceVersion ?? "deleted"}`;
}

function messageOf(response: AuditEvent["response"]): string | undefined {
  const body = response.status < 400 ? undefined : responseText(response);
  if (body === undefined) return undefined;
  // A refusal in another format than JSON is shown whole.
  const message = parseJsonObjectOrUndefined(body)?.["message"];
  return typeof message === "string" ? message : body;
}

function webhookRow({ webhook, mutating, took, request, response, error }: AuditedWebhookCall): WebhookRow {
  const patch = isObject(response) ? response["patch"] : undefined;
  return {
    webhook,
    mutating,
    took,
    request: readable(request),
    response: response === undefined ? "" : emitYaml(response),
    ...(typeof patch === "string" &&
      patch !== "" && { patch: readable(Buffer.from(patch, "base64").toString("utf8")) }),
    ...(error !== undefined && { error }),
  };
}

/** Returns JSON as YAML, and any other text as it is. */
function readable(text: string): string {
  if (!text.startsWith("{") && !text.startsWith("[")) return text;
  try {
    return emitYaml(JSON.parse(text));
  } catch {
    return text; // cut off, or refused by the server for its syntax
  }
}
