import type { ComponentChildren, JSX } from "preact";
import { setParams } from "../state/address.ts";

export interface PanelProps {
  readonly label: string;
  /** The word before the title that says what it is. */
  readonly kind?: string;
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The details of the selected row, to the right of the list, or over it on a narrow screen. Escape closes it. */
export function Panel({ label, kind, title, children }: PanelProps): JSX.Element {
  return (
    <aside class="panel" aria-label={label}>
      <header class="panel-head">
        <h2>
          {kind !== undefined && <span class="kind">{kind}</span>}
          {kind !== undefined && " "}
          {title}
        </h2>
        <button type="button" class="plain" aria-label="Close" onClick={closePanel}>
          ✕
        </button>
      </header>
      {children}
    </aside>
  );
}

interface PendingProps {
  readonly label: string;
  readonly title?: string;
  readonly error: string | undefined;
}

/** A panel without its answer yet, or with the reason why there is none. */
export function PendingPanel({ label, title = label, error }: PendingProps): JSX.Element {
  return (
    <Panel label={label} title={title}>
      <p class="quiet pad">{error ?? "Loading…"}</p>
    </Panel>
  );
}

export function closePanel(): void {
  setParams({ sel: "", tab: "", from: "", to: "" });
  document.querySelector<HTMLElement>(".list")?.focus();
}
