import type { JSX } from "preact";
import type { ReconcileRow, Tone } from "../../window/contract.ts";
import { Badge, Status } from "../parts/status.tsx";
import { formatTook } from "../state/clock.ts";

const tones: Readonly<Record<ReconcileRow["outcome"], Tone>> = {
  running: "busy",
  success: "good",
  requeue: "none",
  requeue_after: "none",
  error: "bad",
};

/** The outcome of a reconcile, with the time of the next one. */
export function Outcome({ row }: { readonly row: ReconcileRow }): JSX.Element {
  const { outcome, requeueAfter, hot, attempt } = row;
  const text = requeueAfter === undefined ? outcome : `again in ${formatTook(requeueAfter)}`;
  return (
    <>
      <Status text={text} tone={tones[outcome]} />
      {hot && <Badge text="hot loop" tone="bad" />}
      {attempt > 1 && <Badge text={`attempt ${attempt}`} tone="busy" />}
    </>
  );
}
