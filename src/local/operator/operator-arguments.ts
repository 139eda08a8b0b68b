import type { WebhookEndpoint } from "../../sandbox/webhooks/webhook-endpoint.ts";

/** The part of an operator that runs more than once. */
export interface ReplicaOptions {
  readonly name: string;
  /** The ring that the replicas share; without it, one of them leads. */
  readonly ring: string | undefined;
}

/**
 * Returns the operator's arguments: JSON logs, which the terminal formats, a free health port, so that several runs do
 * not collide, the address of the webhooks, and the place among the replicas. The user's arguments take precedence; a
 * main.ts that does not parse the manager's flags gets only those.
 */
export function operatorArguments(
  main: string,
  given: readonly string[],
  {
    webhooks,
    replica,
  }: { readonly webhooks?: WebhookEndpoint | undefined; readonly replica?: ReplicaOptions | undefined } = {},
): string[] {
  if (!readsManagerFlags(main)) return [...given];
  const defaults: (readonly [name: string, value: string])[] = [
    ["zap-encoder", "json"],
    ["zap-time-encoding", "rfc3339nano"],
    ["health-probe-bind-address", "127.0.0.1:0"],
  ];
  if (webhooks) defaults.push(["webhook-port", String(webhooks.port)], ["webhook-cert-path", webhooks.certDir]);
  if (replica) defaults.push(["leader-elect", "true"]);
  if (replica?.ring) defaults.push(["sharding-ring", replica.ring], ["sharding-shard", replica.name]);
  const missing = defaults.filter(([name]) => !given.some((argument) => isFlag(argument, name)));
  return [...missing.map(([name, value]) => `--${name}=${value}`), ...given];
}

/** Reports whether a main.ts parses the manager's flags. */
export function readsManagerFlags(main: string): boolean {
  return /\bparseManagerFlags\b/.test(main);
}

function isFlag(argument: string, name: string): boolean {
  return argument.split("=")[0]?.replace(/^--?/, "") === name;
}
