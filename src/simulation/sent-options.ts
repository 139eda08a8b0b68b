import type { RunOptions } from "../check/plans/run-plan.ts";
import type { OperatorCommand } from "../check/world/operator.ts";
import type { ServedWebhooks, Subject } from "../check/world/subject.ts";
import type { WebhookEndpoint } from "../sandbox/webhooks/webhook-endpoint.ts";

/** The options of a run without functions, which cannot be sent to a worker. */
export interface SentOptions extends Omit<RunOptions, "subject" | "older" | "signal"> {
  readonly subject: SentSubject;
  readonly older: SentSubject | undefined;
}

interface SentSubject extends Omit<Subject, "webhooks" | "neighbours"> {
  readonly neighbours?: readonly SentSubject[] | undefined;
  readonly webhooks: (Pick<ServedWebhooks, "configurations"> & { readonly command: OperatorCommand }) | undefined;
}

/** Prepares options for a worker, whose operators serve webhooks at the endpoint. */
export function sentOptions(
  { subject, older, patience, expectation }: RunOptions,
  endpoint?: WebhookEndpoint,
): SentOptions {
  const sent = ({ webhooks, neighbours, ...rest }: Subject): SentSubject => ({
    ...rest,
    neighbours: neighbours?.map(sent),
    webhooks: webhooks &&
      endpoint && { configurations: webhooks.configurations, command: webhooks.commandAt(endpoint) },
  });
  return { patience, expectation, subject: sent(subject), older: older && sent(older) };
}

/** Returns the options of a run from what a worker has received. */
export function receivedOptions(options: SentOptions): RunOptions {
  const received = ({ webhooks, neighbours, ...rest }: SentSubject): Subject => ({
    ...rest,
    neighbours: neighbours?.map(received),
    webhooks: webhooks && { configurations: webhooks.configurations, commandAt: () => webhooks.command },
  });
  const { subject, older } = options;
  const signal = new AbortController().signal;
  return { ...options, subject: received(subject), older: older && received(older), signal };
}
