import { betweenTurns } from "../next-turn.ts";

/** With less, V8 takes the short-lived objects of a burst for old ones, which pile up. */
const enoughForNewObjects = 8 * 1024 * 1024;
let tuned = false;

/**
 * Fits V8 to an operator, which does a lot in its first seconds and little afterwards. Called once everything is loaded,
 * because V8 rejects the compiled code that Node has kept under other settings.
 */
export async function tuneV8(): Promise<void> {
  if (tuned) return;
  tuned = true;
  const { getHeapSpaceStatistics, setFlagsFromString } = await import("node:v8");
  // Node 20 optimizes most functions within the first thousand reconciles, which takes longer than it saves there. This
  // is four times its threshold, and about that of later versions, which have no such flag.
  if (process.version.startsWith("v20.")) setFlagsFromString("--interrupt-budget=270336");
  // While a cache fills, V8 would enlarge the space for new objects to 32 MB, or 64 on Node 24, and never shrink it. Here
  // it grows only while it is smaller than a third of the old objects.
  let grows = true;
  const stop = betweenTurns(() => {
    const spaces = getHeapSpaceStatistics();
    const newSpace = spaces.find(({ space_name: name }) => name === "new_space")?.space_size ?? 0;
    const kept = spaces.find(({ space_name: name }) => name === "old_space")?.space_used_size ?? 0;
    if (newSpace >= enoughForNewObjects) stop();
    const mayGrow = newSpace < Math.min(enoughForNewObjects, kept / 3);
    if (mayGrow === grows) return;
    grows = mayGrow;
    setFlagsFromString(`--semi-space-growth-factor=${grows ? 2 : 1}`);
  });
}
