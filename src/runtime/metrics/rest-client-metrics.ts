import type { RequestLabels, RequestObserver } from "../../client/transport/request-observer.ts";
import type { Families } from "./runtime-families.ts";

const seconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const bytes = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];

/** Creates the `rest_client_*` metrics: a count of responses, and with `detailed` the other metrics of client-go. */
export function restClientMetrics(families: Families): (detailed: boolean) => RequestObserver {
  const answers = families.counter("rest_client_requests_total", "Number of HTTP requests, partitioned by status code, method, and host."); // prettier-ignore
  const answered: RequestObserver["answered"] = ({ code, method, host }) => answers.with({ code, method, host }).inc();
  let details: RequestObserver | undefined;
  return (detailed) => (detailed ? (details ??= { answered, ...measurements(families) }) : { answered });
}

function measurements(families: Families): Omit<RequestObserver, "answered"> {
  const histogram = (name: string, help: string, bounds: readonly number[]) => {
    const family = families.histogram(name, help, bounds);
    return ({ verb, host }: RequestLabels, value: number): void => family.with({ verb, host }).observe(value);
  };
  const resolved = families.histogram(
    "rest_client_dns_resolution_duration_seconds",
    "DNS resolver latency in seconds. Broken down by host.",
    seconds,
  );
  const retries = families.counter(
    "rest_client_request_retries_total",
    "Number of request retries, partitioned by status code, verb, and host.",
  );
  return {
    took: histogram("rest_client_request_duration_seconds", "Request latency in seconds. Broken down by verb, and host.", seconds),
    throttled: histogram("rest_client_rate_limiter_duration_seconds", "Client side rate limiter latency in seconds. Broken down by verb, and host.", seconds),
    sent: histogram("rest_client_request_size_bytes", "Request size in bytes. Broken down by verb and host.", bytes),
    received: histogram("rest_client_response_size_bytes", "Response size in bytes. Broken down by verb and host.", bytes),
    resolved: (host, time) => resolved.with({ host }).observe(time),
    retried: ({ verb, host }, code) => retries.with({ code, verb, host }).inc(),
  }; // prettier-ignore
}
