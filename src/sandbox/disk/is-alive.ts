import { readFileSync } from "node:fs";

/** True while there is such a process, ours or another user's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** A process that has ended but whose parent has not asked how, as in containers without an init, holds nothing any more. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false; // not Linux, or gone this moment: then what asking for it said is all there is to know
  }
}
