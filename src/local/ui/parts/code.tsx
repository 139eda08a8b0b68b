import type { JSX } from "preact";
import type { DiffLine } from "../../window/contract.ts";
import { tokenizeLine } from "./yaml-tokens.ts";

/** The parts of a line of YAML in their colours. */
export function YamlLine({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {tokenizeLine(text).map((token, index) => (
        <span key={index} class={`yaml-${token.type}`}>
          {token.text}
        </span>
      ))}
    </>
  );
}

/** Cuts longer texts, which would be slow: a page of 50,000 elements. */
const mostLines = 4_000;

/** A text of YAML to read. */
export function Yaml({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const lines = text.trimEnd().split("\n");
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      {lines.slice(0, mostLines).map((line, index) => (
        <div key={index} class="code-line">
          <YamlLine text={line} />
          {"\n"}
        </div>
      ))}
      {lines.length > mostLines && <div class="quiet">… {lines.length - mostLines} more lines</div>}
    </pre>
  );
}

/** The lines that differ, with those around them. */
export function Diff({ lines, label }: { readonly lines: readonly DiffLine[]; readonly label: string }): JSX.Element {
  if (lines.length === 0) return <p class="quiet">No difference.</p>;
  const names = { "+": "added", "-": "removed", "@": "place", " ": "same" } as const;
  return (
    <pre class="code diff" tabIndex={0} role="region" aria-label={label}>
      {lines.slice(0, mostLines).map(({ mark, text }, index) => (
        <div key={index} class={`code-line ${names[mark]}`}>
          <span class="diff-mark">{mark === "@" ? "⋯" : mark}</span>
          {mark === "@" ? text.replace(/^@ | @@$/g, "") : <YamlLine text={text} />}
          {"\n"}
        </div>
      ))}
    </pre>
  );
}
