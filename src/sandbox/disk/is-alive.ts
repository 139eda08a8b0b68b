import { readFileSync } from "node:fs";

/** Reports whether a process exists, of this user or of another one. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Reports whether a process has ended without being reaped, as in containers without an init. It holds no lock. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false; // not Linux, or the process has just ended
  }
}
