import { load, type EventType, type LoadOptions, type State } from "js-yaml";
import type { Place } from "./place.ts";

/** Returns a listener for js-yaml, which calls it with each value and its start. */
export function listenForValues(
  text: string,
  note: (value: unknown, start: () => Place) => void,
): NonNullable<LoadOptions["listener"]> {
  const starts: number[] = [];
  return (event: EventType, state: State) => {
    if (event === "open") {
      starts.push(state.position);
      return;
    }
    const start = starts.pop() ?? 0;
    note(state.result, () => placeAt(text, start));
  };
}

/** Returns the place of the first key or scalar with a value; the start of the text if nothing has it. */
export function findScalar(text: string, wanted: unknown, schema: LoadOptions["schema"]): Place {
  let found: Place = { line: 1, column: 1 };
  let isFound = false;
  const listener = listenForValues(text, (value, start) => {
    if (isFound || value !== wanted) return;
    isFound = true;
    found = start();
  });
  load(text, { ...(schema && { schema }), listener });
  return found;
}

/** The parser enters a value before the space and the comments in front of it. */
function placeAt(text: string, offset: number): Place {
  const gap = /^(?:\s|#.*)*/.exec(text.slice(offset))![0].length;
  const before = text.slice(0, Math.min(offset + gap, text.trimEnd().length)).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
