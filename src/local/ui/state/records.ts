import { signal } from "@preact/signals";
import type { Batch, Dropped, Hello, ObjectRow, ReconcileRow, RequestRow } from "../../window/contract.ts";

/** The records of the server. The maps are changed in place and `version` counts the changes: copies would be slow. */
export const objects = new Map<string, ObjectRow>();
export const requests = new Map<number, RequestRow>();
export const reconciles = new Map<string, ReconcileRow>();

export const version = {
  objects: signal(0),
  requests: signal(0),
  reconciles: signal(0),
};

/** Returns the latest state of an object, and makes a component follow it. */
export function currentObject(id: string): ObjectRow | undefined {
  return version.objects.value >= 0 ? objects.get(id) : undefined;
}

export const hello = signal<Hello | undefined>(undefined);
export const dropped = signal<Dropped>({ revisions: 0, before: 0, requests: 0, reconciles: 0 });
export const isReady = signal(false);
/** The server's clock minus the browser's. */
let ahead = 0;

/** The lines that the page keeps of each log. */
const mostLines = 10_000;

/** Starts over: the server sends its whole state. */
export function begin(message: Hello): void {
  for (const map of [objects, requests, reconciles]) map.clear();
  hello.value = message;
  isReady.value = false;
  ahead = message.now - Date.now();
  show();
}

/** Takes rows over. They appear with the next frame, however many batches come before it. */
export function take(batch: Batch): void {
  for (const row of batch.objects ?? []) {
    if (row.deleted === undefined) objects.set(row.id, row);
    else objects.delete(row.id);
  }
  for (const row of batch.requests ?? []) keep(requests, row.n, row);
  for (const row of batch.reconciles ?? []) keep(reconciles, row.id, row);
  if (batch.dropped) dropped.value = batch.dropped;
  const known = hello.peek();
  if (known && batch.operator && batch.operator !== known.operator)
    hello.value = { ...known, operator: batch.operator };
  changed.objects ||= batch.objects !== undefined;
  changed.requests ||= batch.requests !== undefined;
  changed.reconciles ||= batch.reconciles !== undefined;
  if (batch.ready) isReady.value = true;
  show();
}

/** The time on the server's clock. */
export function serverNow(): number {
  return Date.now() + ahead;
}

function keep<K, V>(log: Map<K, V>, key: K, row: V): void {
  log.set(key, row);
  if (log.size > mostLines) log.delete(log.keys().next().value!);
}

const changed = { objects: true, requests: true, reconciles: true };
let frame: number | undefined;

function show(): void {
  frame ??= requestAnimationFrame(() => {
    frame = undefined;
    for (const name of ["objects", "requests", "reconciles"] as const) {
      if (changed[name]) version[name].value++;
      changed[name] = false;
    }
  });
}
