import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ObjectsView } from "./objects/objects-view.tsx";
import { closePanel } from "./parts/panel.tsx";
import { RequestsView } from "./requests/requests-view.tsx";
import { address, go, linkTo, type View } from "./state/address.ts";
import { connection } from "./state/connect.ts";
import { hello } from "./state/records.ts";
import { nextTheme, theme } from "./state/theme.ts";
import { WorkView } from "./work/work-view.tsx";

const views: readonly (readonly [view: View, title: string])[] = [
  ["objects", "Objects"],
  ["work", "Work"],
  ["requests", "Requests"],
];

const shortcuts = [
  ["1 2 3", "objects, work, requests"],
  ["/", "filter"],
  ["↑ ↓ Home End", "move in the list"],
  ["← →", "close and open a branch"],
  ["Enter", "show what is selected"],
  ["Esc", "close the details"],
  ["?", "this help"],
] as const;

/** The whole page. */
export function App(): JSX.Element {
  const help = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || help.current?.open) return;
      if (event.key === "Escape" && address.peek().params["sel"]) return closePanel();
      if (isTyping(event.target)) return;
      const view = views[Number(event.key) - 1];
      if (view) go(view[0]);
      else if (event.key === "/") document.querySelector<HTMLElement>("#filter-q")?.focus();
      else if (event.key === "?") help.current?.showModal();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  const { view } = address.value;
  return (
    <>
      <header class="top">
        <h1>tsop</h1>
        <nav aria-label="Views">
          {views.map(([name, title]) => (
            <a key={name} href={linkTo(name)} aria-current={name === view ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <span class="source" title={hello.value?.source}>
          {hello.value?.source}
          {hello.value?.readOnly && <span class="badge none">read-only</span>}
        </span>
        <ConnectionState />
        <button type="button" class="plain" title="Theme: auto, light or dark" onClick={nextTheme}>
          {theme.value}
          <span class="hidden"> theme, change</span>
        </button>
        <button type="button" class="plain" aria-label="Keyboard shortcuts" onClick={() => help.current?.showModal()}>
          ?
        </button>
      </header>
      <main>
        {view === "objects" && <ObjectsView />}
        {view === "work" && <WorkView />}
        {view === "requests" && <RequestsView />}
      </main>
      <dialog ref={help} aria-label="Keyboard shortcuts">
        <h2>Keyboard</h2>
        <dl>
          {shortcuts.map(([keys, what]) => (
            <div key={keys}>
              <dt>{keys}</dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <button type="button" onClick={() => help.current?.close()}>
          Close
        </button>
      </dialog>
    </>
  );
}

function ConnectionState(): JSX.Element {
  const texts = {
    connecting: "connecting",
    live: "live",
    lost: "connection lost, trying again",
    refused: "open the URL that tsop printed: its token is new",
  };
  const tone = { connecting: "busy", live: "good", lost: "bad", refused: "bad" }[connection.value];
  return (
    <span class={`status ${tone}`} role="status">
      <span aria-hidden="true">{connection.value === "live" ? "●" : "▲"}</span> {texts[connection.value]}
    </span>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
