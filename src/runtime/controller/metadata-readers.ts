const readers = new WeakSet<object>();
const types = ["create", "update", "delete"] as const;

/** The functions of a handler or predicate that receive objects of a watch. */
type WatchFunctions = { readonly [Type in (typeof types)[number]]?: object };

/**
 * Marks the functions of a handler or predicate as readers of metadata only: for them, nothing else of an object is
 * parsed. Functions that call others say so with `readingAs`.
 */
export function readingMetadata<Functions extends WatchFunctions>(functions: Functions): Functions {
  return readingAs([], functions);
}

/** Marks each of the functions that calls only marked ones. */
export function readingAs<Functions extends WatchFunctions>(
  called: readonly WatchFunctions[],
  functions: Functions,
): Functions {
  for (const type of types) {
    const each = functions[type];
    if (each && readOnlyMetadata(called.map((others) => others[type]))) readers.add(each);
  }
  return functions;
}

/** Reports whether all these functions read only metadata; a missing one reads nothing. */
export function readOnlyMetadata(functions: readonly (object | undefined)[]): boolean {
  return functions.every((each) => each === undefined || readers.has(each));
}
