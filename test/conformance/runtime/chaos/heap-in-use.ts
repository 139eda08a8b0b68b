import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns the size of the heap without garbage. */
export function heapInUse(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}
