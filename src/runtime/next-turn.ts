/** Short enough not to delay timers, sockets and probes noticeably. */
const sliceMs = 5;

let turn: Promise<void> | undefined;
let sliceEnd = 0;

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
      resolve();
    });
  });
  return turn;
}
