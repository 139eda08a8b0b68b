import type { JSX } from "preact";
import type { DiffLine, ObjectDetail, RevisionRow } from "../../window/contract.ts";
import { Diff } from "../parts/code.tsx";
import { address, linkTo, setParams } from "../state/address.ts";
import { formatTime } from "../state/clock.ts";
import { useAnswer } from "../state/ask.ts";

/** Every revision of an object with its writer, and the difference of two. */
export function HistoryTab({ detail }: { readonly detail: ObjectDetail }): JSX.Element {
  const { params } = address.value;
  const { revisions, row, dropped } = detail;
  const latest = revisions.at(-1)?.n ?? 0;
  const to = Number(params["to"] ?? latest);
  const from = Number(params["from"] ?? to - 1);
  const { value: lines } = useAnswer<readonly DiffLine[]>("diff", { id: row.id, from, to });
  return (
    <div class="pad">
      <ol class="revisions" reversed>
        {revisions.toReversed().map((revision) => (
          <Revision key={revision.n} revision={revision} from={from} to={to} />
        ))}
      </ol>
      {dropped > 0 && <p class="warn">{dropped} older revisions were dropped to bound the memory.</p>}
      <h3>
        Difference {from > 0 ? `from ${from} ` : ""}to {to}
      </h3>
      {lines && <Diff lines={lines} label="Difference" />}
    </div>
  );
}

interface RevisionProps {
  readonly revision: RevisionRow;
  readonly from: number;
  readonly to: number;
}

function Revision({ revision, from, to }: RevisionProps): JSX.Element {
  const { n, at, type, by } = revision;
  const word = { ADDED: "created", MODIFIED: "changed", DELETED: "deleted" }[type];
  return (
    <li class={n === to ? "chosen" : ""}>
      <button
        type="button"
        class="plain revision"
        aria-pressed={n === to}
        title={by?.user}
        onClick={() => setParams({ to: String(n), from: String(n - 1) })}
      >
        <strong>{n}</strong> {word} <time>{formatTime(at)}</time>{" "}
        {by ? (
          <span class="quiet">
            {by.manager}
            {by.user !== "" && ` (${by.user})`}
          </span>
        ) : (
          <span class="quiet">the server</span>
        )}
      </button>
      <label class="compare">
        <input
          type="radio"
          name="from"
          checked={n === from}
          disabled={n === to}
          onChange={() => setParams({ from: String(n), to: String(to) })}
        />
        compare
      </label>
      {by?.request !== undefined && <a href={linkTo("requests", { sel: String(by.request) })}>request</a>}
      {by?.reconcile !== undefined && <a href={linkTo("work", { sel: by.reconcile })}>reconcile</a>}
    </li>
  );
}
