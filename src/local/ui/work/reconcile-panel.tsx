import type { JSX } from "preact";
import type { ReconcileDetail } from "../../window/contract.ts";
import { Panel, PendingPanel } from "../parts/panel.tsx";
import { linkTo } from "../state/address.ts";
import { formatTime, formatTook } from "../state/clock.ts";
import { reconciles } from "../state/records.ts";
import { useAnswer } from "../state/ask.ts";
import { RequestLine } from "../requests/request-line.tsx";
import { Outcome } from "./outcome.tsx";

/** A reconcile: its cause, its requests and its log. */
export function ReconcilePanel({ id }: { readonly id: string }): JSX.Element {
  const { value: detail, error } = useAnswer<ReconcileDetail>("reconcile", { id }, reconciles.get(id));
  if (!detail) return <PendingPanel label="Reconcile" error={error} />;
  const { row, causedBy, requests, logs, stack } = detail;
  return (
    <Panel label={`Reconcile of ${row.request}`} kind={row.controller} title={row.request}>
      <div class="pad">
        <p class="facts">
          <Outcome row={row} />
          <span>{formatTime(row.started)}</span>
          {row.took !== undefined && <span>{formatTook(row.took)}</span>}
          <span>queue {row.depth}</span>
        </p>
        {row.error !== undefined && <p class="problem">{row.error}</p>}
        {stack !== undefined && (
          <details>
            <summary>Stack</summary>
            <pre class="code" tabIndex={0} role="region" aria-label="Stack">
              {stack}
            </pre>
          </details>
        )}
        <h3>Caused by</h3>
        <ul class="lines">
          {row.causes.map(({ type, kind, key, resourceVersion }, index) => {
            const request = causedBy[index];
            return (
              <li key={index}>
                {kind === undefined ? type : `${type} of ${kind} ${key}`}{" "}
                {resourceVersion !== undefined && <span class="quiet">version {resourceVersion}</span>}
                {request && (
                  <>
                    {" by "}
                    <a href={linkTo("requests", { sel: String(request.n) })}>
                      {request.verb} of {request.client}
                    </a>
                    {request.reconcile !== undefined && (
                      <>
                        {" in "}
                        <a href={linkTo("work", { sel: request.reconcile })}>
                          {request.reconcile === id ? "this reconcile" : "a reconcile"}
                        </a>
                      </>
                    )}
                  </>
                )}
              </li>
            );
          })}
        </ul>
        <h3>Requests ({requests.length})</h3>
        {requests.length === 0 && <p class="quiet">None: everything was read from the cache.</p>}
        <ul class="lines">
          {requests.map((request) => (
            <li key={request.n}>
              <RequestLine row={request} />
            </li>
          ))}
        </ul>
        <h3>Log ({logs.length})</h3>
        {logs.length === 0 && <p class="quiet">Nothing was logged.</p>}
        <ul class="lines log">
          {logs.map((line, index) => (
            <li key={index}>
              <LogLine line={line} />
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}

/** Fields that the panel shows elsewhere. */
const known = new Set([
  "level",
  "ts",
  "msg",
  "logger",
  "reconcileID",
  "controller",
  "controllerGroup",
  "controllerKind",
]);

/** A line of the operator's log; one of another format than JSON is shown as it is. */
function LogLine({ line }: { readonly line: string }): JSX.Element {
  const fields = parse(line);
  if (!fields) return <code>{line}</code>;
  const { level, msg, stacktrace: _stack, ...rest } = fields;
  const others = Object.entries(rest).filter(([name]) => !known.has(name));
  return (
    <code>
      <span class={level === "error" ? "status bad" : "status"}>{String(level)}</span> {String(msg)}
      {others.map(([name, value]) => (
        <span class="quiet" key={name}>
          {" "}
          {name}={typeof value === "string" ? value : JSON.stringify(value)}
        </span>
      ))}
    </code>
  );
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
