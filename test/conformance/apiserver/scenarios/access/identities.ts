import { bindCluster, clusterRole, resourceRule, type Rule } from "../../grants.ts";
import type { RequestStep, Scenarios, Step } from "../../scenario.ts";
import { POST } from "../../requests.ts";
import { accounts } from "../../steps.ts";

const whoAmI = "POST /apis/authentication.k8s.io/v1/selfsubjectreviews";
const bearer = (name: string): Record<string, string> => ({ authorization: `Bearer {${name}}` });

/** An account with a token, which may impersonate as its rule says. */
function impersonator(name: string, rules: readonly Rule[]): RequestStep[] {
  return [
    POST(accounts, { metadata: { name } }, { unrecorded: true }),
    POST(`${accounts}/${name}/token`, { spec: {} }, { save: { [name]: "status.token" }, unrecorded: true }),
    clusterRole(name, rules),
    bindCluster({ name, subject: { kind: "ServiceAccount", name, namespace: "{ns}" } }),
  ];
}

const impersonators: Readonly<Record<string, readonly Rule[]>> = {
  none: [],
  users: [resourceRule([""], ["users"], ["impersonate"])],
  jane: [resourceRule([""], ["users"], ["impersonate"], ["jane"])],
  groups: [resourceRule([""], ["users"], ["impersonate"]), resourceRule([""], ["groups"], ["impersonate"], ["dev"])],
  robots: [resourceRule([""], ["serviceaccounts"], ["impersonate"])],
  uids: [
    resourceRule([""], ["users"], ["impersonate"]),
    resourceRule(["authentication.k8s.io"], ["uids"], ["impersonate"], ["u1"]),
  ],
  extras: [
    resourceRule([""], ["users"], ["impersonate"]),
    resourceRule(["authentication.k8s.io"], ["userextras/scope"], ["impersonate"], ["a"]),
  ],
  full: [resourceRule(["", "authentication.k8s.io"], ["*"], ["impersonate"])],
};
const impersonations: readonly Readonly<Record<string, string>>[] = [
  { "impersonate-user": "jane" },
  { "impersonate-user": "joe" },
  { "impersonate-user": "jane", "impersonate-group": "dev" },
  { "impersonate-user": "jane", "impersonate-group": "ops" },
  { "impersonate-user": "jane", "impersonate-group": "dev,ops" },
  { "impersonate-group": "dev" },
  { "impersonate-uid": "u1" },
  { "impersonate-user": "jane", "impersonate-uid": "u1" },
  { "impersonate-user": "jane", "impersonate-uid": "u2" },
  { "impersonate-extra-scope": "a" },
  { "impersonate-user": "jane", "impersonate-extra-scope": "a" },
  { "impersonate-user": "jane", "impersonate-extra-scope": "b" },
  { "impersonate-user": "jane", "impersonate-extra-other": "a" },
  { "impersonate-user": "system:serviceaccount:default:robot" },
  { "impersonate-user": "system:serviceaccount:default:robot", "impersonate-group": "dev" },
  { "impersonate-user": "system:serviceaccount:default" },
  { "impersonate-user": "system:serviceaccount:Default:robot" },
  { "impersonate-user": "system:anonymous" },
  { "impersonate-user": "system:anonymous", "impersonate-group": "system:authenticated" },
  { "impersonate-user": "system:node:n" },
  { "impersonate-user": "jane", "impersonate-group": "system:unauthenticated" },
];
const impersonation: readonly Step[] = [
  ...Object.entries(impersonators).flatMap(([name, rules]) => impersonator(name, rules)),
  {
    request: whoAmI,
    headers: { ...bearer("full"), "impersonate-user": "jane" },
    body: {},
    until: (_, status) => status === 201,
    unrecorded: true,
  },
  ...["admin", ...Object.keys(impersonators)].flatMap((name) =>
    impersonations.map((headers) => ({
      request: whoAmI,
      headers: { ...(name !== "admin" && bearer(name)), ...headers },
      body: {},
      pick: ({ status, code }: any) => [name, headers, code ?? status.userInfo],
    })),
  ),
];
const tokenReviews = "POST /apis/authentication.k8s.io/v1/tokenreviews";

/** The issuer has another name on each server. */
const shown = (audiences: readonly string[] = []): string[] =>
  audiences.map((audience) => (audience.startsWith("https:") ? "<issuer>" : audience));

/** Tokens are valid for the audiences that they were issued for. */
const audiences: readonly Step[] = [
  POST(accounts, { metadata: { name: "robot" } }, { unrecorded: true }),
  POST(`${accounts}/robot/token`, { spec: {} }, { save: { issuer: "spec.audiences.0" }, unrecorded: true }),
  ...Object.entries({ plain: [], vault: ["vault"], both: ["vault", "{issuer}"] }).flatMap(([word, wanted]) => [
    POST(
      `${accounts}/robot/token`,
      { spec: { audiences: wanted } },
      { save: { [word]: "status.token" }, pick: ({ spec }: any) => shown(spec.audiences) },
    ),
    {
      request: whoAmI,
      headers: bearer(word),
      body: {},
      pick: ({ message, status }: any) => message ?? status.userInfo.groups,
    },
    ...[[], ["vault"], ["{issuer}"], ["other"], ["other", "vault", "{issuer}"]].map((audiences) => ({
      request: tokenReviews,
      body: { spec: { token: `{${word}}`, audiences } },
      pick: ({ status }: any) => ({
        token: word,
        wanted: audiences,
        authenticated: status.authenticated,
        audiences: shown(status.audiences),
        error: status.error?.replace(/https:[^"]*/g, "<issuer>"),
      }),
    })),
  ]),
];

export const scenarios: Scenarios = { "decisions-impersonation": impersonation, "decisions-audiences": audiences };
