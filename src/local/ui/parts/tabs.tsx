import type { JSX } from "preact";

export interface TabsProps {
  readonly label: string;
  readonly tabs: readonly (readonly [id: string, title: string])[];
  readonly current: string;
  readonly onChoose: (id: string) => void;
}

/** Tabs; the arrow keys move between them. */
export function Tabs({ label, tabs, current, onChoose }: TabsProps): JSX.Element {
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const at = tabs.findIndex(([id]) => id === current);
    const next = tabs[(at + step + tabs.length) % tabs.length]![0];
    onChoose(next);
    (event.currentTarget as HTMLElement).querySelector<HTMLElement>(`#tab-${next}`)?.focus();
    event.preventDefault();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={press}>
      {tabs.map(([id, title]) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          role="tab"
          aria-selected={id === current}
          aria-controls="tab-content"
          tabIndex={id === current ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
