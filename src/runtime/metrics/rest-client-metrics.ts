import type { RequestLabels, RequestObserver } from "../../client/request-observer.ts";
import type { Prometheus } from "./metrics.ts";

const seconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const bytes = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];

/** The `rest_client_*` metrics: a count of answers, and with `detailed` what client-go measures beside it. */
export function restClientMetrics(client: Prometheus): (detailed: boolean) => RequestObserver {
  const answers = new client.Counter({
    name: "rest_client_requests_total",
    help: "Number of HTTP requests, partitioned by status code, method, and host.",
    labelNames: ["code", "method", "host"],
  });
  const answered: RequestObserver["answered"] = ({ code, method, host }) => answers.inc({ code, method, host });
  let details: RequestObserver | undefined;
  return (detailed) => (detailed ? (details ??= { answered, ...measurements(client) }) : { answered });
}

function measurements(client: Prometheus): Omit<RequestObserver, "answered"> {
  const histogram = (name: string, help: string, buckets: number[], labelNames = ["verb", "host"]) => {
    const made = new client.Histogram({ name, help, labelNames, buckets });
    return (labels: RequestLabels, value: number): void => made.observe({ ...labels }, value);
  };
  const resolved = new client.Histogram({
    name: "rest_client_dns_resolution_duration_seconds",
    help: "DNS resolver latency in seconds. Broken down by host.",
    labelNames: ["host"],
    buckets: seconds,
  });
  const retries = new client.Counter({
    name: "rest_client_request_retries_total",
    help: "Number of request retries, partitioned by status code, verb, and host.",
    labelNames: ["code", "verb", "host"],
  });
  return {
    took: histogram("rest_client_request_duration_seconds", "Request latency in seconds. Broken down by verb, and host.", seconds),
    throttled: histogram("rest_client_rate_limiter_duration_seconds", "Client side rate limiter latency in seconds. Broken down by verb, and host.", seconds),
    sent: histogram("rest_client_request_size_bytes", "Request size in bytes. Broken down by verb and host.", bytes),
    received: histogram("rest_client_response_size_bytes", "Response size in bytes. Broken down by verb and host.", bytes),
    resolved: (host, time) => resolved.observe({ host }, time),
    retried: ({ verb, host }, code) => retries.inc({ code, verb, host }),
  }; // prettier-ignore
}
