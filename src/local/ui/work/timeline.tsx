import type { JSX } from "preact";
import { setParams } from "../state/address.ts";
import { formatTook } from "../state/clock.ts";
import type { ReconcileRow } from "../../window/contract.ts";

export interface TimelineProps {
  readonly lanes: readonly Lane[];
  readonly from: number;
  readonly to: number;
  readonly selected: string;
}

/** A lane of bars for each controller. The list below has the same reconciles for the keyboard and screen readers. */
export function Timeline({ lanes, from, to, selected }: TimelineProps): JSX.Element {
  const share = (ms: number): string => `${Math.max(0, Math.min(100, (ms / (to - from)) * 100))}%`;
  return (
    <div class="lanes">
      {lanes.map(({ controller, bars, depth, running, errors, retries, hot }) => (
        <div class="lane" key={controller}>
          <div class="lane-head">
            <strong>{controller}</strong>
            <span class="quiet">
              queue {depth} · running {running} · errors {errors} · retries {retries}
            </span>
            {hot > 0 && <span class="badge bad">hot loop</span>}
          </div>
          <div class="bars" aria-hidden="true">
            {bars.map((row) => (
              <span
                key={row.id}
                class={`bar ${row.outcome} ${row.hot ? "hot" : ""} ${row.id === selected ? "chosen" : ""}`}
                title={`${row.request} ${row.took === undefined ? "" : formatTook(row.took)}`}
                style={{ left: share(row.started - from), width: share(row.took ?? to - row.started) }}
                onClick={() => setParams({ sel: row.id })}
              />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

/** The work of a controller, in numbers. */
interface Lane {
  readonly controller: string;
  /** The latest reconciles, the oldest first. */
  readonly bars: readonly ReconcileRow[];
  readonly running: number;
  /** Requests that waited at the latest start. */
  readonly depth: number;
  readonly errors: number;
  readonly retries: number;
  readonly hot: number;
}

/** Groups reconciles by controller; each lane has bars since a time. */
export function lanesOf(rows: Iterable<ReconcileRow>, since: number, mostBars = 300): Lane[] {
  const groups = new Map<string, ReconcileRow[]>();
  for (const row of rows) {
    const group = groups.get(row.controller);
    if (group) group.push(row);
    else groups.set(row.controller, [row]);
  }
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([controller, all]) => ({
      controller,
      bars: all.filter((row) => row.started + (row.took ?? Infinity) >= since).slice(-mostBars),
      running: all.filter(({ outcome }) => outcome === "running").length,
      depth: all.at(-1)?.depth ?? 0,
      errors: all.filter(({ outcome }) => outcome === "error").length,
      retries: all.filter(({ attempt }) => attempt > 1).length,
      hot: all.filter(({ hot }) => hot).length,
    }));
}

/** Describes why a reconcile ran, in one line. */
export function describeCause({ causes }: ReconcileRow): string {
  const [first] = causes;
  if (!first) return "";
  const { type, kind = "", key = "" } = first;
  const words = { retry: "retry after an error", requeue: "requeue", other: "another source" };
  const text = type in words ? words[type as keyof typeof words] : `${type} of ${kind} ${key.split("/").at(-1)}`;
  return causes.length > 1 ? `${text} +${causes.length - 1}` : text;
}
