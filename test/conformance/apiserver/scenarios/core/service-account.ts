import type { Scenario } from "../../scenario.ts";
import { core } from "../../steps.ts";

const token = (spec: object) => ({
  request: `POST ${core}/serviceaccounts/bot/token`,
  body: { spec },
  pick: ({ code, message, spec, metadata }: any) => (code ? { message } : { spec, name: metadata.name }),
});

export const scenarios: readonly Scenario[] = [
  {
    name: "tokens",
    steps: [
      {
        request: "POST /api/v1/namespaces/{ns}/serviceaccounts",
        body: { metadata: { name: "robot" } },
        unrecorded: true,
      },
      {
        request: "POST /api/v1/namespaces/{ns}/serviceaccounts/robot/token",
        body: { spec: { expirationSeconds: 100 } },
      },
      {
        request: "POST /api/v1/namespaces/{ns}/serviceaccounts/robot/token",
        body: { spec: { expirationSeconds: 5_000_000_000 } },
      },
      { request: "POST /api/v1/namespaces/{ns}/serviceaccounts/none/token", body: { spec: {} } },
      {
        request: "POST /api/v1/namespaces/{ns}/serviceaccounts/robot/token",
        body: { spec: { expirationSeconds: 600 } },
        pick: ({ kind, apiVersion, spec, status }) => ({
          kind,
          apiVersion,
          expirationSeconds: spec.expirationSeconds,
          parts: status.token.split(".").length,
        }),
        save: { token: "status.token" },
      },
      {
        request: "POST /apis/authentication.k8s.io/v1/tokenreviews",
        body: { spec: { token: "{token}" } },
        pick: ({ status }) => ({
          authenticated: status.authenticated,
          name: status.user.username,
          groups: status.user.groups,
        }),
      },
      {
        request: "POST /apis/authentication.k8s.io/v1/selfsubjectreviews",
        headers: { authorization: "Bearer {token}" },
        body: {},
        pick: ({ status }) => status.userInfo.username,
      },
      { request: "GET /api/v1/namespaces/{ns}/secrets", headers: { authorization: "Bearer {token}" } },
      { request: "GET /api/v1/namespaces/{ns}/secrets", headers: { authorization: "Bearer wrong" } },
      { request: "DELETE /api/v1/namespaces/{ns}/serviceaccounts/robot", unrecorded: true },
      {
        request: "GET /api/v1/namespaces/{ns}/secrets",
        headers: { authorization: "Bearer {token}" },
        until: (_, status) => status === 401,
      },
      {
        request: "POST /api/v1/namespaces/{ns}/serviceaccounts",
        body: { metadata: { name: "robot" } },
        unrecorded: true,
      },
      { request: "GET /api/v1/namespaces/{ns}/secrets", headers: { authorization: "Bearer {token}" } },
    ],
  },
  {
    name: "bound-tokens",
    steps: [
      { request: `POST ${core}/serviceaccounts`, body: { metadata: { name: "bot" } } },
      { request: `POST ${core}/secrets`, body: { metadata: { name: "s" } } },
      token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "nothing" } }),
      token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "Secret", name: "nothing" } }),
      token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "ConfigMap", name: "nothing" } }),
      token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "Secret", name: "s", uid: "other" } }),
      token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "Node", name: "nothing" } }),
      token({ audiences: ["a"], boundObjectRef: { apiVersion: "v1", kind: "Secret", name: "s" } }),
      token({ audiences: ["a"], expirationSeconds: 1 }),
      token({ audiences: ["a"], expirationSeconds: 8_589_934_592 }),
      {
        request: `POST /apis/authentication.k8s.io/v1/selfsubjectreviews`,
        headers: { "impersonate-user": "u", "impersonate-extra-A%2fb": "c", "impersonate-uid": "5" },
        body: {},
      },
    ],
  },
];
