const readers = new WeakSet<object>();

/** The functions of a handler or predicate that receive objects of a watch. */
interface WatchFunctions {
  readonly create?: object;
  readonly update?: object;
  readonly delete?: object;
}

/**
 * Marks the functions of a handler or predicate as readers of metadata only: for them, nothing else of an object is
 * parsed. A function that calls one of them is not marked.
 */
export function readingMetadata<Functions extends WatchFunctions>(functions: Functions): Functions {
  const { create, update, delete: deleted } = functions;
  for (const each of [create, update, deleted]) if (each) readers.add(each);
  return functions;
}

/** Reports whether all these functions read only metadata; a missing one reads nothing. */
export function readOnlyMetadata(functions: readonly (object | undefined)[]): boolean {
  return functions.every((each) => each === undefined || readers.has(each));
}
