import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { ObjectRow } from "../../window/contract.ts";
import { Choice, FilterText, Toggle } from "../parts/choice.tsx";
import { conditionTone, Status } from "../parts/status.tsx";
import { VirtualList, type Column } from "../parts/virtual-list.tsx";
import { address, setParams } from "../state/address.ts";
import { clock, formatAge } from "../state/clock.ts";
import { hello, isReady, objects, version } from "../state/records.ts";
import { buildTree, type TreeLine } from "./build-tree.ts";
import { ObjectPanel } from "./object-panel.tsx";
import { TimeSlider, usePast } from "./time-slider.tsx";
import { Panel } from "../parts/panel.tsx";
import { EditTab } from "./edit-tab.tsx";

/** The tree of objects, as it is or as it was. */
export function ObjectsView(): JSX.Element {
  const { params } = address.value;
  const { kind = "", ns: namespace = "", labels = "", q: text = "", sel = "" } = params;
  const system = params["system"] === "on";
  const at = params["at"] ? Number(params["at"]) : undefined;
  const past = usePast(at);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const changes = version.objects.value;
  const rows = past?.objects ?? [...objects.values()];
  const filter = { kind, namespace, labels, text, system };
  const lines = useMemo(
    () => buildTree(rows, filter, closed),
    [changes, past, closed, kind, namespace, labels, text, system],
  );
  const kinds = useMemo(() => namesOf(rows.map((row) => row.kind)), [changes, past]);
  const namespaces = useMemo(() => namesOf(rows.map((row) => row.namespace)), [changes, past]);
  const now = at ?? clock.value;

  const toggle = ({ row, isParent, isOpen }: TreeLine, open = !isOpen): boolean => {
    if (!isParent || open === isOpen) return false;
    const next = new Set(closed);
    if (open) next.delete(row.id);
    else next.add(row.id);
    setClosed(next);
    return true;
  };
  const columns: readonly Column<TreeLine>[] = [
    { title: "Object", name: "object", cell: (line) => <ObjectName line={line} onToggle={() => toggle(line)} /> },
    { title: "Status", name: "state", cell: ({ row }) => <Status {...row.status} /> },
    { title: "Conditions", name: "conditions", cell: ({ row }) => <Conditions conditions={row.conditions} /> },
    { title: "Namespace", name: "namespace", cell: ({ row }) => row.namespace },
    { title: "Age", name: "age", cell: ({ row }) => (row.created === 0 ? "" : formatAge(now - row.created)) },
  ];
  return (
    <>
      <div class="filters">
        <FilterText label="Filter" name="q" value={text} />
        <Choice label="Kind" name="kind" value={kind} options={kinds} />
        <Choice label="Namespace" name="ns" value={namespace} options={namespaces} />
        <FilterText label="Labels: app=web" name="labels" value={labels} />
        <Toggle label="System objects" name="system" value={params["system"] ?? ""} />
        <span class="count" role="status">
          {lines.filter(({ matches }) => matches).length} objects
        </span>
        {hello.value && !hello.value.readOnly && (
          <button type="button" onClick={() => setParams({ sel: "new", tab: "" })}>
            New…
          </button>
        )}
      </div>
      <div class="split">
        <div class="main">
          <VirtualList
            label="Objects"
            role="treegrid"
            columns={columns}
            items={lines}
            keyOf={({ row }) => row.id}
            selected={sel}
            onSelect={({ row }) => setParams({ sel: row.id, tab: params["tab"] ?? "" })}
            onKey={(line, key) =>
              (key === "ArrowRight" && toggle(line, true)) || (key === "ArrowLeft" && toggle(line, false))
            }
            rowProps={({ level, isParent, isOpen, matches }) => ({
              "aria-level": level,
              ...(isParent && { "aria-expanded": isOpen }),
              class: matches ? "" : "dim",
            })}
            empty={isReady.value ? "No object matches. Clear the filter, or show system objects." : "Loading…"}
          />
          <TimeSlider at={at} complete={past?.complete ?? true} />
        </div>
        {sel === "new" ? <NewObject /> : sel !== "" && <ObjectPanel id={sel} key={sel} />}
      </div>
    </>
  );
}

function ObjectName({ line, onToggle }: { readonly line: TreeLine; readonly onToggle: () => void }): JSX.Element {
  const { row, level, isParent, isOpen } = line;
  return (
    <>
      <span class="indent" style={{ width: `${(level - 1) * 18}px` }} />
      <span
        class="twist"
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          onToggle();
        }}
      >
        {isParent ? (isOpen ? "▾" : "▸") : ""}
      </span>
      <span class="kind">{row.kind}</span> <span class="name">{row.name}</span>
    </>
  );
}

/** The conditions that hold, and those that hold bad news. */
function Conditions({ conditions }: Pick<ObjectRow, "conditions">): JSX.Element {
  const shown = conditions.filter(({ type, status }) => status === "True" || conditionTone(type, status) === "busy");
  return (
    <>
      {shown.map(({ type, status }) => (
        <span class={`condition ${conditionTone(type, status)}`} key={type}>
          {status === "True" ? "" : status === "False" ? "not " : "unknown "}
          {type}
        </span>
      ))}
    </>
  );
}

function namesOf(names: readonly string[]): string[] {
  return [...new Set(names)].filter(Boolean).toSorted();
}

const example = `apiVersion: v1
kind: ConfigMap
metadata:
  name: example
  namespace: default
data:
  key: value
`;

/** Applies any YAML. */
function NewObject(): JSX.Element {
  return (
    <Panel label="New object" title="New object">
      <EditTab initial={example} />
    </Panel>
  );
}
