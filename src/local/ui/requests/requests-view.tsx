import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { RequestRow } from "../../window/contract.ts";
import { Choice, Count, FilterText, Toggle } from "../parts/choice.tsx";
import { VirtualList, type Column } from "../parts/virtual-list.tsx";
import { address, setParams } from "../state/address.ts";
import { formatSize, formatTime, formatTook } from "../state/clock.ts";
import { dropped, hello, requests, version } from "../state/records.ts";
import { RequestFlag } from "./request-line.tsx";
import { RequestPanel } from "./request-panel.tsx";

const columns: readonly Column<RequestRow>[] = [
  { title: "Time", name: "when", cell: ({ at }) => formatTime(at) },
  {
    title: "Status",
    name: "answer",
    cell: ({ status }) => <span class={status >= 400 ? "status bad" : "status"}>{status}</span>,
  },
  { title: "Verb", name: "verb", cell: ({ verb }) => verb },
  {
    title: "Resource",
    name: "object",
    cell: ({ resource, namespace, name }) => (
      <>
        <span class="kind">{resource}</span>{" "}
        <span class="name">
          {namespace && `${namespace}/`}
          {name}
        </span>
      </>
    ),
  },
  { title: "Client", name: "client", cell: ({ client }) => client },
  { title: "User", name: "user", cell: ({ user }) => user },
  { title: "Took", name: "took", cell: ({ took }) => formatTook(took) },
  { title: "Size", name: "size", cell: ({ size }) => formatSize(size) },
  { title: "Flag", name: "flag", cell: (row) => <RequestFlag row={row} /> },
];

const requesters = ["operator", "people", "cluster", "window"];

/** The requests to the server, as in a browser's network panel. */
export function RequestsView(): JSX.Element {
  const { params } = address.value;
  const { by = "", q = "", writes = "", flagged = "", sel = "" } = params;
  const changes = version.requests.value;
  const shown = useMemo(() => {
    const words = q.toLowerCase().split(/\s+/).filter(Boolean);
    return [...requests.values()]
      .filter((row) => by === "" || row.by === by)
      .filter((row) => writes === "" || row.writes > 0)
      .filter((row) => flagged === "" || row.flag !== undefined)
      .filter((row) => words.every((word) => textOf(row).includes(word)));
  }, [changes, by, q, writes, flagged]);
  if (hello.value?.audits === false) {
    return (
      <div class="notice">
        <p>A cluster does not tell which requests it gets. Requests are shown for the embedded server.</p>
      </div>
    );
  }
  return (
    <>
      <div class="filters">
        <FilterText label="Filter" name="q" value={q} />
        <Choice label="From" name="by" value={by} options={requesters} />
        <Toggle label="Writes" name="writes" value={writes} />
        <Toggle label="Stands out" name="flagged" value={flagged} />
        <Count shown={shown.length} what="requests" dropped={dropped.value.requests} />
      </div>
      <div class="split">
        <div class="main">
          <VirtualList
            label="Requests"
            columns={columns}
            items={shown}
            keyOf={({ n }) => String(n)}
            selected={sel}
            onSelect={({ n }) => setParams({ sel: String(n) })}
            rowProps={({ flag }) => ({ class: flag && flag !== "no-op" ? "flagged" : "" })}
            follows
            empty="No request matches."
          />
        </div>
        {sel !== "" && <RequestPanel n={Number(sel)} key={sel} />}
      </div>
    </>
  );
}

function textOf({ verb, resource, namespace, name, client, user, status }: RequestRow): string {
  return `${verb} ${resource} ${namespace}/${name} ${client} ${user} ${status}`.toLowerCase();
}
