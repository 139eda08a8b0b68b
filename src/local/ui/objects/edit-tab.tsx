import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { EditResult, ObjectDetail } from "../../window/contract.ts";
import { Diff, YamlLine } from "../parts/code.tsx";
import { ask, tell } from "../state/ask.ts";

type Answer = EditResult & { readonly isDryRun: boolean };

/** Edits a text of YAML. A dry run on the server shows the difference before anything is written. */
export function EditTab({ initial }: { readonly initial: string }): JSX.Element {
  const [text, setText] = useState(initial);
  const [answer, setAnswer] = useState<Answer>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (dryRun: boolean): Promise<void> => {
    setBusy(true);
    try {
      const result = await tell<EditResult>("apply", { text, dryRun });
      setAnswer({ ...result, isDryRun: dryRun });
      // The next edit starts from the version that this one has made.
      const isWritten = !dryRun && result.problems.length === 0 && result.object !== undefined;
      if (isWritten) setText((await ask<ObjectDetail>("object", { id: result.object })).yaml);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      setAnswer({ diff: [], problems: [{ message, line: 0 }], isDryRun: dryRun });
    } finally {
      setBusy(false);
    }
  };
  const problems = answer?.problems ?? [];
  const isChecked = answer?.isDryRun === true && problems.length === 0;
  return (
    <div class="edit">
      <Editor
        text={text}
        problems={new Map(problems.map(({ line, message }) => [line, message]))}
        onInput={(next) => {
          setText(next);
          setAnswer(undefined);
        }}
      />
      <div class="bar">
        <button type="button" disabled={isBusy} onClick={() => void submit(true)}>
          Show difference
        </button>
        <button type="button" class="primary" disabled={isBusy || !isChecked} onClick={() => void submit(false)}>
          Apply
        </button>
        {!isChecked && problems.length === 0 && <span class="quiet">The difference is shown first.</span>}
      </div>
      <div role="status">
        {problems.map(({ line, message }) => (
          <p class="problem" key={`${line} ${message}`}>
            {line > 0 ? `line ${line}: ` : ""}
            {message}
          </p>
        ))}
        {answer && problems.length === 0 && !answer.isDryRun && <p class="done">Applied.</p>}
      </div>
      {isChecked && <Diff lines={answer.diff} label="Difference of the dry run" />}
    </div>
  );
}

interface EditorProps {
  readonly text: string;
  /** By line; 0 concerns the whole. */
  readonly problems: ReadonlyMap<number, string>;
  readonly onInput: (text: string) => void;
}

/** A text field above the same text in colours. */
function Editor({ text, problems, onInput }: EditorProps): JSX.Element {
  const layer = useRef<HTMLPreElement>(null);
  return (
    <div class="editor">
      <pre aria-hidden="true" ref={layer}>
        {text.split("\n").map((line, index) => (
          <div key={index} class={problems.has(index + 1) ? "code-line wrong" : "code-line"}>
            <YamlLine text={line} />
            {problems.has(index + 1) && <span class="note">{problems.get(index + 1)}</span>}
            {"\n"}
          </div>
        ))}
      </pre>
      <textarea
        aria-label="YAML"
        spellcheck={false}
        autocapitalize="off"
        aria-invalid={problems.size > 0}
        value={text}
        onInput={(event) => onInput(event.currentTarget.value)}
        onScroll={(event) => {
          const { scrollTop, scrollLeft } = event.currentTarget;
          Object.assign(layer.current!, { scrollTop, scrollLeft });
        }}
      />
    </div>
  );
}
