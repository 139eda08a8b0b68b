import type { JSX } from "preact";
import type { ObjectDetail } from "../../window/contract.ts";
import { conditionTone, Status } from "../parts/status.tsx";
import { clock, formatAge } from "../state/clock.ts";

/** The conditions, events and labels of an object. */
export function StateTab({ detail }: { readonly detail: ObjectDetail }): JSX.Element {
  const { conditions, events, row } = detail;
  const ago = (time: number): string => (time > 0 ? `${formatAge(clock.value - time)} ago` : "");
  return (
    <div class="pad">
      <h3>Conditions</h3>
      {conditions.length === 0 && <p class="quiet">None.</p>}
      <ul class="cards">
        {conditions.map(({ type, status, reason, message, since }) => (
          <li key={type}>
            <Status text={`${type}: ${status}`} tone={conditionTone(type, status)} />
            <span class="quiet">
              {" "}
              {reason} {ago(since)}
            </span>
            {message !== "" && <p>{message}</p>}
          </li>
        ))}
      </ul>
      <h3>Events</h3>
      {events.length === 0 && <p class="quiet">None.</p>}
      <ul class="cards">
        {events.map(({ id, type, reason, message, count, last }) => (
          <li key={id}>
            <Status text={reason} tone={type === "Warning" ? "bad" : "none"} />
            <span class="quiet">
              {" "}
              {count > 1 ? `${count} times, ` : ""}
              {ago(last)}
            </span>
            <p>{message}</p>
          </li>
        ))}
      </ul>
      <h3>Labels</h3>
      {Object.keys(row.labels).length === 0 && <p class="quiet">None.</p>}
      <ul class="labels">
        {Object.entries(row.labels).map(([name, value]) => (
          <li key={name}>
            {name}={value}
          </li>
        ))}
      </ul>
    </div>
  );
}
