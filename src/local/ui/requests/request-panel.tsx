import type { JSX } from "preact";
import type { DiffLine, RequestDetail, WebhookRow, WriteRow } from "../../window/contract.ts";
import { Diff, Yaml } from "../parts/code.tsx";
import { Panel, PendingPanel } from "../parts/panel.tsx";
import { linkTo } from "../state/address.ts";
import { calm, formatSize, formatTime, formatTook } from "../state/clock.ts";
import { reconciles } from "../state/records.ts";
import { useAnswer } from "../state/ask.ts";
import { RequestFlag } from "./request-line.tsx";

/** A request: its body, the objects that it changed, and the effects of the change. */
export function RequestPanel({ n }: { readonly n: number }): JSX.Element {
  const { value: detail, error } = useAnswer<RequestDetail>("request", { n }, calm.reconciles.value);
  if (!detail) return <PendingPanel label="Request" error={error} />;
  const { row, url, message, marker, sent, writes, webhooks, caused } = detail;
  return (
    <Panel label={`Request ${row.verb} ${row.resource}`} kind={row.verb} title={row.resource}>
      <div class="pad">
        <p class="facts">
          <span class={row.status >= 400 ? "status bad" : "status good"}>{row.status}</span>
          <RequestFlag row={row} />
          <span>{formatTime(row.at)}</span>
          <span>{formatTook(row.took)}</span>
          <span>{formatSize(row.size)}</span>
        </p>
        <p class="url">{url}</p>
        <p class="quiet">
          {row.client} as {row.user}
          {row.reconcile !== undefined && (
            <>
              {" in "}
              <a href={linkTo("work", { sel: row.reconcile })}>
                a reconcile{reconciles.has(row.reconcile) ? ` of ${reconciles.get(row.reconcile)!.request}` : ""}
              </a>
            </>
          )}
        </p>
        {message !== undefined && <p class="problem">{message}</p>}
        {marker !== undefined && (
          <p>
            This marker allows it: <code class="marker">{marker}</code>
          </p>
        )}
        {writes.map((write) => (
          <Write key={write.object} write={write} />
        ))}
        {row.flag === "no-op" && <p class="warn">The write changed nothing: the object was already like that.</p>}
        {writes.length > 0 && (
          <>
            <h3>Caused reconciles ({caused.length})</h3>
            <ul class="lines">
              {caused.map(({ id, controller, request, started }) => (
                <li key={id}>
                  <a href={linkTo("work", { sel: id })}>
                    {controller} {request}
                  </a>{" "}
                  <span class="quiet">{formatTime(started)}</span>
                </li>
              ))}
            </ul>
          </>
        )}
        {webhooks.map((call) => (
          <Webhook key={call.webhook} call={call} />
        ))}
        {sent !== "" && (
          <details open={writes.length === 0}>
            <summary>Sent</summary>
            <Yaml text={sent} label="Sent" />
          </details>
        )}
      </div>
    </Panel>
  );
}

function Write({ write: { object, kind, key, from, to } }: { readonly write: WriteRow }): JSX.Element {
  const { value: lines } = useAnswer<readonly DiffLine[]>("diff", { id: object, from, to });
  return (
    <>
      <h3>
        {from === undefined ? "Created" : "Changed"}{" "}
        <a href={linkTo("objects", { sel: object, tab: "history", to: String(to ?? "") })}>
          {kind} {key}
        </a>
      </h3>
      {lines && <Diff lines={lines} label={`Difference of ${key}`} />}
    </>
  );
}

function Webhook({ call }: { readonly call: WebhookRow }): JSX.Element {
  const { webhook, mutating, took, request, response, patch, error } = call;
  return (
    <>
      <h3>
        {mutating ? "Mutating" : "Validating"} webhook {webhook} <span class="quiet">{formatTook(took)}</span>
      </h3>
      {error !== undefined && <p class="problem">{error}</p>}
      {patch !== undefined && <Yaml text={patch} label={`Patch of ${webhook}`} />}
      {response !== "" && <Yaml text={response} label={`Response of ${webhook}`} />}
      <details>
        <summary>Request</summary>
        <Yaml text={request} label={`Request to ${webhook}`} />
      </details>
    </>
  );
}
