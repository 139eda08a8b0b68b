import type { Diagnostic } from "../errors/diagnostic.ts";
import type { Recovered } from "../files/change-record.ts";
import type { LockHolder } from "../files/take-lock.ts";
import type { AppliedObject } from "../client/manifests/apply-manifests.ts";

/** An event of a local run. */
export type LocalEvent =
  | {
      readonly type: "target";
      readonly embedded: boolean;
      readonly server: string;
      readonly source: string;
      /** The KUBECONFIG whose cluster is not used. */
      readonly ignored?: string | undefined;
    }
  | { readonly type: "window"; readonly url: string }
  /** Variables and arguments of a bundle that the project's manifests do not name. */
  | { readonly type: "bundleIgnored"; readonly names: readonly string[] }
  | { readonly type: "kubeconfig"; readonly path: string }
  | ({ readonly type: "waiting" } & LockHolder)
  | ({ readonly type: "recovered" } & Recovered)
  | { readonly type: "generated"; readonly changed: readonly string[]; readonly warnings: readonly Diagnostic[] }
  | { readonly type: "crds"; readonly names: readonly string[] }
  | {
      readonly type: "webhooksLeftOut";
      /** True if the user turned them off by ENABLE_WEBHOOKS=false. */
      readonly isOff: boolean;
      /** The kinds whose versions are not converted therefore. */
      readonly unconverted: readonly string[];
    }
  | { readonly type: "built"; readonly milliseconds: number }
  | { readonly type: "started"; readonly pid: number; readonly replicas?: readonly string[] }
  | { readonly type: "replicaEnded"; readonly replica: string; readonly reason: string; readonly left: number }
  | {
      readonly type: "ended";
      readonly reason: string;
      /** The time until it starts again; absent if it waits for a change of the sources. */
      readonly restartMs?: number;
    }
  | { readonly type: "awaitsKind"; readonly kind: string; readonly file: string }
  | { readonly type: "applied"; readonly objects: readonly AppliedObject[] }
  | {
      readonly type: "output";
      readonly stream: "stdout" | "stderr";
      readonly line: string;
      /** The replica that has written the line, if there are several. */
      readonly replica?: string | undefined;
    }
  | { readonly type: "problem"; readonly error: unknown }
  | { readonly type: "fixed" }
  | { readonly type: "stopped" };
