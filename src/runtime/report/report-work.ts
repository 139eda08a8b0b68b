import { isError } from "../../errors/is-error.ts";
import { AsyncLocalStorage } from "node:async_hooks";
import type { ObservedEvent, ObservedRound, ObservedStart, WorkObserver } from "../controller/work-observer.ts";
import type { ReportedCause, ReportMessage } from "./report-message.ts";
import { Socket } from "node:net";

/** Reports the work of the controllers to the tool, and marks the requests of each reconcile. */
export interface WorkReport extends WorkObserver {
  /** Returns the headers of a request: Kubernetes' `Audit-ID`, which begins with the reconcile's ID. */
  headers(): Readonly<Record<string, string>>;
}

interface Marked {
  readonly id: string;
  requests: number;
}

/** The causes that are kept for a request in the queue. */
const mostCauses = 20;

/** Creates a report that sends messages. */
export function createWorkReport(send: (message: ReportMessage) => void, pid: number = process.pid): WorkReport {
  const current = new AsyncLocalStorage<Marked>();
  const outside: Marked = { id: `tsop-operator.${pid}`, requests: 0 };
  const waiting = new Map<string, ReportedCause[]>();
  const again = new Map<string, ReportedCause["type"]>();

  const causesOf = (key: string): readonly ReportedCause[] => {
    const events = waiting.get(key);
    const repeated = again.get(key);
    waiting.delete(key);
    again.delete(key);
    return events ?? [{ type: repeated ?? "other" }];
  };

  const begin = ({ controller, request, reconcileID: id, attempt, depth }: ObservedStart): ObservedRound => {
    const text = textOf(request);
    const key = `${controller} ${text}`;
    const started = performance.now();
    const took = (): number => performance.now() - started;
    const causes = causesOf(key);
    send({ type: "start", id, controller, request: text, at: Date.now(), attempt, depth, causes });
    return {
      run: (work) => current.run({ id, requests: 0 }, work),
      end(outcome, requeueAfter) {
        if (outcome !== "success") again.set(key, "requeue");
        send({ type: "end", id, took: took(), outcome, ...(requeueAfter !== undefined && { requeueAfter }) });
      },
      fail(error) {
        again.set(key, "retry");
        const { message, stack } = isError(error) ? error : { message: String(error), stack: undefined };
        send({ type: "end", id, took: took(), outcome: "error", error: message, stack });
      },
    };
  };

  send({ type: "hello", pid });
  return {
    enqueued(controller, request, event) {
      const key = `${controller} ${textOf(request)}`;
      const events = waiting.get(key) ?? [];
      if (events.length < mostCauses) waiting.set(key, [...events, causeOf(event)]);
    },
    begin,
    headers() {
      const marked = current.getStore() ?? outside;
      return { "audit-id": `${marked.id}.${++marked.requests}` };
    },
  };
}

function causeOf({ type, kind, object }: ObservedEvent): ReportedCause {
  const { namespace, name = "", resourceVersion } = object.metadata;
  const key = namespace ? `${namespace}/${name}` : name;
  return { type, kind, key, ...(resourceVersion !== undefined && { resourceVersion }) };
}

function textOf(request: unknown): string {
  if (typeof request !== "object" || request === null || !("name" in request)) return JSON.stringify(request);
  const { namespace, name } = request as { namespace?: unknown; name: unknown };
  return typeof namespace === "string" && namespace !== "" ? `${namespace}/${String(name)}` : String(name);
}

/** The bytes that may wait for a tool that does not read. */
const longestQueue = 8 * 1024 * 1024;

let opened: WorkReport | undefined;

/** Returns the report of this process; its managers share the pipe. */
export function openReport(descriptor: number): WorkReport {
  return (opened ??= reportOn(descriptor));
}

/** Reports on the pipe that the tool has opened as a file descriptor. It never delays the operator or its end. */
function reportOn(descriptor: number): WorkReport {
  const pipe = new Socket({ fd: descriptor, readable: false, writable: true });
  pipe.unref();
  let dropped = 0;
  let isOpen = true;
  // The operator continues after the tool has ended.
  pipe.on("error", () => {
    isOpen = false;
  });
  const write = (message: ReportMessage): void => void pipe.write(`${JSON.stringify(message)}\n`);
  return createWorkReport((message) => {
    if (!isOpen) return;
    if (pipe.writableLength > longestQueue) {
      dropped++;
      return;
    }
    if (dropped > 0) write({ type: "dropped", count: dropped });
    dropped = 0;
    write(message);
  });
}
