import type { JSX } from "preact";
import { setParams } from "../state/address.ts";
import { clock, formatAge, formatTime } from "../state/clock.ts";
import { dropped, hello } from "../state/records.ts";

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
