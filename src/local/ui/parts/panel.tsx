import type { ComponentChildren, JSX } from "preact";
import { setParams } from "../state/address.ts";

export interface PanelProps {
  readonly label: string;
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The details of the selected row, to the right of the list, or over it on a narrow screen. Escape closes it. */
export function Panel({ label, title, children }: PanelProps): JSX.Element {
  return (
    <aside class="panel" aria-label={label}>
      <header class="panel-head">
        <h2>{title}</h2>
        <button type="button" class="plain" aria-label="Close" onClick={closePanel}>
          ✕
        </button>
      </header>
      {children}
    </aside>
  );
}

export function closePanel(): void {
  setParams({ sel: "", tab: "", from: "", to: "" });
  document.querySelector<HTMLElement>(".list")?.focus();
}
