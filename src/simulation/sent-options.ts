import type { Expectation } from "../check/plans/expectation.ts";
import type { RunOptions } from "../check/plans/run-plan.ts";
import { maskOf, type Mask } from "../check/world/object-state.ts";
import type { OperatorCommand } from "../check/world/operator.ts";
import type { Subject } from "../check/world/subject.ts";
import type { WebhookEndpoint } from "../sandbox/webhooks/webhook-endpoint.ts";

/** The options of a run without functions, which cannot be sent to a worker. */
export interface SentOptions extends Omit<RunOptions, "subject" | "older" | "expectation" | "signal"> {
  readonly subject: SentSubject;
  readonly older: SentSubject | undefined;
  readonly expectation: SentExpectation | undefined;
}

interface SentSubject extends Omit<Subject, "webhooks" | "neighbours"> {
  readonly neighbours?: readonly SentSubject[] | undefined;
  readonly webhooks:
    | { readonly configurations: readonly Subject["crds"][number][]; readonly command: OperatorCommand }
    | undefined;
}

interface SentExpectation extends Pick<Expectation, "states"> {
  readonly mask: Mask["differences"];
  readonly maskOfReturn: Mask["differences"] | undefined;
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
  return {
    patience,
    subject: sent(subject),
    older: older && sent(older),
    expectation: expectation && {
      states: expectation.states,
      mask: expectation.mask.differences,
      maskOfReturn: expectation.maskOfReturn?.differences,
    },
  };
}

/** Returns the options of a run from what a worker has received. */
export function receivedOptions({ subject, older, patience, expectation }: SentOptions): RunOptions {
  const received = ({ webhooks, neighbours, ...rest }: SentSubject): Subject => ({
    ...rest,
    neighbours: neighbours?.map(received),
    webhooks: webhooks && { configurations: webhooks.configurations, commandAt: () => webhooks.command },
  });
  return {
    patience,
    subject: received(subject),
    older: older && received(older),
    expectation: expectation && {
      states: expectation.states,
      mask: maskOf(expectation.mask),
      ...(expectation.maskOfReturn && { maskOfReturn: maskOf(expectation.maskOfReturn) }),
    },
    signal: new AbortController().signal,
  };
}
