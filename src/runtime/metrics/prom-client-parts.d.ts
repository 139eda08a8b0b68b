// The files of prom-client that the runtime loads one by one: the whole package brings a tracing library, a push
// gateway and quantiles. They share one registry with `import "prom-client"`.
declare module "prom-client/lib/registry.js" {
  import type { Registry } from "prom-client";
  const exported: { readonly globalRegistry: Registry };
  export default exported;
}
declare module "prom-client/lib/defaultMetrics.js" {
  import type { collectDefaultMetrics } from "prom-client";
  const exported: typeof collectDefaultMetrics;
  export default exported;
}
