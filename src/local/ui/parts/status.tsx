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

/** Conditions whose truth is bad news. */
const adverse = /Degraded|Failed|Failure|Pressure|Unavailable|Stalled|Error/;

export function conditionTone(type: string, status: string): Tone {
  if (status !== "True" && status !== "False") return "busy";
  if (adverse.test(type)) return status === "True" ? "bad" : "none";
  return status === "True" ? "good" : "busy";
}
