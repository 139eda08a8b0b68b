import type { JSX } from "preact";
import { setParams } from "../state/address.ts";
import { formatTook } from "../state/clock.ts";
import type { Lane } from "./work-lanes.ts";

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
