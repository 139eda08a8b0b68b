// The files of prom-client that the runtime loads: the whole package would add a tracing library, a push gateway and
// quantiles. They share a registry with `import "prom-client"`.
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
