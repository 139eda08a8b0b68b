import type { Scenarios } from "../../scenario.ts";
import { core } from "../../steps.ts";
import { DELETE, GET, POST } from "../../requests.ts";

const token = (spec: object) =>
  POST(
    `${core}/serviceaccounts/bot/token`,
    { spec },
    { pick: ({ code, message, spec, metadata }: any) => (code ? { message } : { spec, name: metadata.name }) },
  );

export const scenarios: Scenarios = {
  tokens: [
    POST("/api/v1/namespaces/{ns}/serviceaccounts", { metadata: { name: "robot" } }, { unrecorded: true }),
    POST("/api/v1/namespaces/{ns}/serviceaccounts/robot/token", { spec: { expirationSeconds: 100 } }),
    POST("/api/v1/namespaces/{ns}/serviceaccounts/robot/token", { spec: { expirationSeconds: 5_000_000_000 } }),
    POST("/api/v1/namespaces/{ns}/serviceaccounts/none/token", { spec: {} }),
    POST(
      "/api/v1/namespaces/{ns}/serviceaccounts/robot/token",
      { spec: { expirationSeconds: 600 } },
      {
        pick: ({ kind, apiVersion, spec, status }) => ({
          kind,
          apiVersion,
          expirationSeconds: spec.expirationSeconds,
          parts: status.token.split(".").length,
        }),
        save: { token: "status.token" },
      },
    ),
    POST(
      "/apis/authentication.k8s.io/v1/tokenreviews",
      { spec: { token: "{token}" } },
      {
        pick: ({ status }) => ({
          authenticated: status.authenticated,
          name: status.user.username,
          groups: status.user.groups,
        }),
      },
    ),
    POST(
      "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      {},
      { headers: { authorization: "Bearer {token}" }, pick: ({ status }) => status.userInfo.username },
    ),
    GET("/api/v1/namespaces/{ns}/secrets", { headers: { authorization: "Bearer {token}" } }),
    GET("/api/v1/namespaces/{ns}/secrets", { headers: { authorization: "Bearer wrong" } }),
    DELETE("/api/v1/namespaces/{ns}/serviceaccounts/robot", { unrecorded: true }),
    GET("/api/v1/namespaces/{ns}/secrets", {
      headers: { authorization: "Bearer {token}" },
      until: (_, status) => status === 401,
    }),
    POST("/api/v1/namespaces/{ns}/serviceaccounts", { metadata: { name: "robot" } }, { unrecorded: true }),
    GET("/api/v1/namespaces/{ns}/secrets", { headers: { authorization: "Bearer {token}" } }),
  ],
  "bound-tokens": [
    POST(`${core}/serviceaccounts`, { metadata: { name: "bot" } }),
    POST(`${core}/secrets`, { metadata: { name: "s" } }),
    token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "nothing" } }),
    token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "Secret", name: "nothing" } }),
    token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "ConfigMap", name: "nothing" } }),
    token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "Secret", name: "s", uid: "other" } }),
    token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "Node", name: "nothing" } }),
    token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "Secret", name: "s" } }),
    token({ audiences: ["a"], expirationSeconds: 1 }),
    token({ audiences: ["a"], expirationSeconds: 8_589_934_592 }),
    POST(
      "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      {},
      { headers: { "impersonate-user": "u", "impersonate-extra-A%2fb": "c", "impersonate-uid": "5" } },
    ),
  ],
};
