import { parseDuration } from "../apimachinery/duration.ts";
import { TsopError } from "../errors/tsop-error.ts";

export interface ControlPlaneTimeouts {
  readonly startTimeoutMs: number;
  readonly stopTimeoutMs: number;
}

/** Returns the timeouts of real programs: the test's, else envtest's variables, else 20 seconds. */
export function controlPlaneTimeouts(
  options: Partial<ControlPlaneTimeouts>,
  env: Readonly<Record<string, string | undefined>>,
): ControlPlaneTimeouts {
  const fromEnv = (name: string): number => (env[name] ? milliseconds(name, env[name]) : 20_000);
  return {
    startTimeoutMs: options.startTimeoutMs ?? fromEnv("KUBEBUILDER_CONTROLPLANE_START_TIMEOUT"),
    stopTimeoutMs: options.stopTimeoutMs ?? fromEnv("KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT"),
  };
}

function milliseconds(variable: string, text: string): number {
  const nanos = parseDuration(text);
  if (nanos === undefined) throw new TsopError("TSOP_TIMEOUT_INVALID", { variable, text });
  return Number(nanos / 1_000_000n);
}
