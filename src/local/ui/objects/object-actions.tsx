import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { EditResult, ObjectDetail } from "../../window/contract.ts";
import { tell } from "../state/ask.ts";

/** Scales and deletes an object. */
export function ObjectActions({ detail }: { readonly detail: ObjectDetail }): JSX.Element {
  const { row, replicas } = detail;
  const [wanted, setWanted] = useState<number>();
  const [asks, setAsks] = useState(false);
  const [problem, setProblem] = useState("");
  const act = async (path: string, body: object): Promise<void> => {
    setAsks(false);
    try {
      const { problems } = await tell<EditResult>(path, { id: row.id, ...body });
      setProblem(problems.map(({ message }) => message).join("; "));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <span class="actions">
      {replicas !== undefined && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void act("scale", { replicas: wanted ?? replicas });
          }}
        >
          <input
            type="number"
            min="0"
            aria-label="Replicas"
            value={wanted ?? replicas}
            onInput={(event) => setWanted(event.currentTarget.valueAsNumber)}
          />
          <button type="submit">Scale</button>
        </form>
      )}
      {asks ? (
        <>
          <button type="button" class="danger" onClick={() => void act("delete", {})}>
            Really delete
          </button>
          <button type="button" onClick={() => setAsks(false)}>
            Cancel
          </button>
        </>
      ) : (
        <button type="button" onClick={() => setAsks(true)}>
          Delete
        </button>
      )}
      {problem !== "" && (
        <span class="problem" role="alert">
          {problem}
        </span>
      )}
    </span>
  );
}
