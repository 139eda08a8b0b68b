import type { JSX } from "preact";
import type { Tone } from "../../window/contract.ts";

const marks: Readonly<Record<Tone, string>> = { good: "●", busy: "◐", bad: "▲", none: "○" };

/** A state by shape, colour and text. */
export function Status({ text, tone }: { readonly text: string; readonly tone: Tone }): JSX.Element {
  return (
    <span class={`status ${tone}`}>
      <span aria-hidden="true">{text === "" ? "" : marks[tone]}</span> {text}
    </span>
  );
}

/** A short word that stands out. */
export function Badge({ text, tone }: { readonly text: string; readonly tone: Tone }): JSX.Element {
  return <span class={`badge ${tone}`}>{text}</span>;
}
