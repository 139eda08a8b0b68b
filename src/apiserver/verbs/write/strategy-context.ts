import { formatTime } from "../../../apimachinery/time.ts";
import type { StrategyContext } from "../../registry/strategy.ts";
import type { User } from "../../api-server.ts";
import type { ServerCore } from "../call/server-core.ts";

/** What a strategy may see of the server. */
export function strategyContext(core: ServerCore, user?: User): StrategyContext {
  return {
    ...(user && { user }),
    now: () => formatTime(new Date(core.clock.now())),
    random: core.random,
    *list(resource) {
      for (const [, object] of core.store.collection(resource).entries("")) yield object;
    },
  };
}
