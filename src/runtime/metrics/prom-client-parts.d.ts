// The files of prom-client that the runtime loads one by one: the whole package brings a tracing library, a push
// gateway and quantiles, which double the time and memory of an operator's start. They share one registry with
// `import "prom-client"`.
declare module "prom-client/lib/registry.js" {
  import type { Registry } from "prom-client";
  const exported: { readonly globalRegistry: Registry };
  export default exported;
}
declare module "prom-client/lib/counter.js" {
  import type { Counter } from "prom-client";
  const exported: typeof Counter;
  export default exported;
}
declare module "prom-client/lib/gauge.js" {
  import type { Gauge } from "prom-client";
  const exported: typeof Gauge;
  export default exported;
}
declare module "prom-client/lib/histogram.js" {
  import type { Histogram } from "prom-client";
  const exported: typeof Histogram;
  export default exported;
}
declare module "prom-client/lib/defaultMetrics.js" {
  import type { collectDefaultMetrics } from "prom-client";
  const exported: typeof collectDefaultMetrics;
  export default exported;
}
