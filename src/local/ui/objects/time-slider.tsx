import type { JSX } from "preact";
import { setParams } from "../state/address.ts";
import { clock, formatAge, formatTime } from "../state/clock.ts";
import { dropped, hello } from "../state/records.ts";
import { useEffect, useState } from "preact/hooks";
import type { PastState } from "../../window/contract.ts";
import { ask } from "../state/ask.ts";

export interface TimeSliderProps {
  /** `undefined` is now. */
  readonly at: number | undefined;
  readonly complete: boolean;
}

/** Chooses a moment since the start, whose objects are shown. */
export function TimeSlider({ at, complete }: TimeSliderProps): JSX.Element {
  const started = hello.value?.started ?? clock.value;
  const now = Math.max(clock.value, started + 1_000);
  const { revisions } = dropped.value;
  return (
    <div class="time">
      <button
        type="button"
        class={at === undefined ? "live on" : "live"}
        aria-pressed={at === undefined}
        onClick={() => setParams({ at: "" }, true)}
      >
        <span aria-hidden="true">●</span> Live
      </button>
      <input
        type="range"
        aria-label="Time"
        aria-valuetext={at === undefined ? "now" : `${formatTime(at)}, ${formatAge(now - at)} ago`}
        min={started}
        max={now}
        step={100}
        value={at ?? now}
        onInput={(event) => setParams({ at: event.currentTarget.value }, true)}
      />
      <output>{at === undefined ? "now" : `${formatTime(at)} · ${formatAge(now - at)} ago`}</output>
      {at !== undefined && !complete && <span class="warn">incomplete: older revisions were dropped</span>}
      {revisions > 0 && <span class="quiet">{revisions} old revisions dropped</span>}
    </div>
  );
}

/** The time to wait for the slider to rest. */
const restMs = 80;

/** Returns the objects at an earlier time, which `undefined` turns off; the last answer stays until the next. */
export function usePast(at: number | undefined): PastState | undefined {
  const [past, setPast] = useState<PastState>();
  useEffect(() => {
    if (at === undefined) {
      setPast(undefined);
      return;
    }
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      ask<PastState>("past", { at }, leaving.signal).then(setPast, () => {}); // a lost connection is shown by itself
    }, restMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [at]);
  return past;
}
