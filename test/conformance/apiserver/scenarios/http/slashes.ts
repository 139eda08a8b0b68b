import type { Scenarios } from "../../scenario.ts";
import { GET } from "../../requests.ts";

export const scenarios: Scenarios = {
  slashes: [
    GET("/version/", { pick: ({ major, minor }) => ({ major, minor }) }),
    GET("/api/", { pick: ({ kind, versions }) => ({ kind, versions }) }),
    GET("/apis/", { pick: ({ kind }) => kind }),
    GET("/api/v1/", { pick: ({ kind, groupVersion }) => ({ kind, groupVersion }) }),
    GET("/apis/apps/v1/", { pick: ({ kind, groupVersion }) => ({ kind, groupVersion }) }),
    GET("/healthz/"),
    GET("/api/v1/namespaces/", { pick: ({ kind }) => kind }),
  ],
};
