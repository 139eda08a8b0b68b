import { formatTime } from "../../../apimachinery/time.ts";
import type { Clock } from "../../../apimachinery/clock.ts";

/** The clock's time as objects carry it. */
export function timestamp({ clock }: { readonly clock: Clock }): string {
  return formatTime(new Date(clock.now()));
}
