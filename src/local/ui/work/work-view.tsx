import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { ReconcileRow } from "../../window/contract.ts";
import { Choice, Count, FilterText, Toggle } from "../parts/choice.tsx";
import { VirtualList, type Column } from "../parts/virtual-list.tsx";
import { address, linkTo, setParams } from "../state/address.ts";
import { clock, formatTime, formatTook } from "../state/clock.ts";
import { dropped, hello, reconciles, version } from "../state/records.ts";
import { Outcome } from "./outcome.tsx";
import { ReconcilePanel } from "./reconcile-panel.tsx";
import { Timeline, describeCause, lanesOf } from "./timeline.tsx";

const columns: readonly Column<ReconcileRow>[] = [
  { title: "Time", name: "when", cell: ({ started }) => formatTime(started) },
  { title: "Controller", name: "controller", cell: ({ controller }) => controller },
  { title: "Object", name: "object", cell: ({ request }) => <span class="name">{request}</span> },
  { title: "Outcome", name: "outcome", cell: (row) => <Outcome row={row} /> },
  { title: "Took", name: "took", cell: ({ took }) => (took === undefined ? "" : formatTook(took)) },
  { title: "Requests", name: "number", cell: ({ requests }) => requests },
  { title: "Writes", name: "number2", cell: ({ writes }) => writes },
  { title: "Cause", name: "cause", cell: describeCause },
];

/** The time that the lanes show. */
const spanMs = 60_000;

/** The reconciles of each controller. */
export function WorkView(): JSX.Element {
  const { params } = address.value;
  const { controller = "", q = "", flagged = "", sel = "" } = params;
  const changes = version.reconciles.value;
  const to = clock.value;
  const rows = useMemo(() => [...reconciles.values()], [changes]);
  const lanes = useMemo(() => lanesOf(rows, to - spanMs), [rows, to]);
  const shown = useMemo(() => {
    const words = q.toLowerCase().split(/\s+/).filter(Boolean);
    return rows
      .filter((row) => controller === "" || row.controller === controller)
      .filter((row) => flagged === "" || row.hot || row.outcome === "error")
      .filter((row) => words.every((word) => `${row.request} ${row.error ?? ""}`.toLowerCase().includes(word)));
  }, [rows, controller, q, flagged]);
  if (rows.length === 0) return <NoWork />;
  return (
    <>
      <div class="filters">
        <FilterText label="Filter" name="q" value={q} />
        <Choice
          label="Controller"
          name="controller"
          value={controller}
          options={lanes.map((lane) => lane.controller)}
        />
        <Toggle label="Errors and loops" name="flagged" value={flagged} />
        <Count shown={shown.length} what="reconciles" dropped={dropped.value.reconciles} />
      </div>
      <div class="split">
        <div class="main">
          <Timeline lanes={lanes} from={to - spanMs} to={to} selected={sel} />
          <VirtualList
            label="Reconciles"
            columns={columns}
            items={shown}
            keyOf={({ id }) => id}
            selected={sel}
            onSelect={({ id }) => setParams({ sel: id })}
            rowProps={({ hot, outcome }) => ({ class: hot || outcome === "error" ? "flagged" : "" })}
            follows
            empty="No reconcile matches."
          />
        </div>
        {sel !== "" && <ReconcilePanel id={sel} key={sel} />}
      </div>
    </>
  );
}

function NoWork(): JSX.Element {
  const operator = hello.value?.operator;
  return (
    <div class="notice">
      {operator === "none" || operator === undefined ? (
        <p>No operator was started with this page. Start one with: tsop run --local --ui</p>
      ) : operator === "reports" ? (
        <p>The operator has not reconciled anything yet.</p>
      ) : (
        <p>The operator tells nothing about its work yet. An operator in another language never does.</p>
      )}
      <p>
        Its requests are under <a href={linkTo("requests")}>Requests</a>.
      </p>
    </div>
  );
}
