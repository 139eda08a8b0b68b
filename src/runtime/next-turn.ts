/** Short enough not to delay timers, sockets and probes noticeably. */
const sliceMs = 5;

let turn: Promise<void> | undefined;
let sliceEnd = 0;
const between = new Set<() => void>();

/**
 * For loops over many objects: returns `undefined` while there is time left, else a promise to await, so that the rest
 * of the program gets its turn. All loops of a process share the time, as they share the event loop.
 */
export function nextTurn(): Promise<void> | undefined {
  if (turn || performance.now() < sliceEnd) return turn;
  turn = new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      sliceEnd = performance.now() + sliceMs;
      for (const work of between) work();
      resolve();
    });
  });
  return turn;
}

/** Calls `work` after each slice of such loops, thus only in a busy program; returns a function that ends this. */
export function betweenTurns(work: () => void): () => void {
  between.add(work);
  return () => between.delete(work);
}
