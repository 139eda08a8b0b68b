import type { JSX } from "preact";
import type { ObjectDetail } from "../../window/contract.ts";
import { Yaml } from "../parts/code.tsx";
import { Panel, PendingPanel } from "../parts/panel.tsx";
import { Status } from "../parts/status.tsx";
import { address, setParams } from "../state/address.ts";
import { calm, clock, formatAge } from "../state/clock.ts";
import { currentObject, hello } from "../state/records.ts";
import { useAnswer } from "../state/ask.ts";
import { ObjectActions } from "./object-actions.tsx";
import { EditTab } from "./edit-tab.tsx";
import { HistoryTab } from "./history-tab.tsx";
import { StateTab } from "./state-tab.tsx";

/** An object: its state, its YAML, its history, and the means to change it. */
export function ObjectPanel({ id }: { readonly id: string }): JSX.Element {
  const { tab = "state" } = address.value.params;
  // Events about the object are objects of their own, so that its state may change without it.
  const now = currentObject(id)?.resourceVersion;
  const tick = tab === "state" ? `${now} ${calm.objects.value}` : now;
  const { value: detail, error } = useAnswer<ObjectDetail>("object", { id }, tick);
  if (!detail) return <PendingPanel label="Object" title={id.split(" ")[1] ?? id} error={error} />;
  const { row } = detail;
  const canWrite = hello.value?.readOnly === false && row.deleted === undefined;
  const tabs = [
    ["state", "State"],
    ["yaml", "YAML"],
    ["history", `History (${detail.revisions.length})`],
    ...(canWrite ? ([["edit", "Edit"]] as const) : []),
  ] as const;
  return (
    <Panel label={`${row.kind} ${row.name}`} kind={row.kind} title={row.name}>
      <p class="facts">
        <Status {...(row.deleted === undefined ? row.status : { text: "Deleted", tone: "bad" })} />
        {row.namespace !== "" && <span>namespace {row.namespace}</span>}
        {row.created > 0 && <span>age {formatAge((row.deleted ?? clock.value) - row.created)}</span>}
        {canWrite && <ObjectActions detail={detail} />}
      </p>
      <Tabs label="Parts of the object" tabs={tabs} current={tab} onChoose={(next) => setParams({ tab: next })} />
      <div class="tab-content" id="tab-content" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === "yaml" && <Yaml text={detail.yaml} label={`YAML of ${row.name}`} />}
        {tab === "history" && <HistoryTab detail={detail} />}
        {tab === "edit" && canWrite && <EditTab initial={detail.yaml} key={row.uid} />}
        {tab === "state" && <StateTab detail={detail} />}
      </div>
    </Panel>
  );
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly (readonly [id: string, title: string])[];
  readonly current: string;
  readonly onChoose: (id: string) => void;
}

/** Tabs; the arrow keys move between them. */
function Tabs({ label, tabs, current, onChoose }: TabsProps): JSX.Element {
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
