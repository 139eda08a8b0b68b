import { brief, change, create, gone, identity, remove, settle, settles } from "../../controller-steps.ts";
import type { RequestStep, Scenarios } from "../../scenario.ts";
import { core } from "../../steps.ts";

const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const rules = (resource: string) => [{ apiGroups: ["example.com"], resources: [resource], verbs: ["get"] }];
const ofSecret = (object: any): object => ({
  ...identity(object),
  type: object.type,
  data: Object.keys(object.data ?? {}).toSorted(),
});
const token = {
  metadata: { name: "t", annotations: { "kubernetes.io/service-account.name": "robot" } },
  type: "kubernetes.io/service-account-token",
};

/** Waits until one of the cluster's roles grants a resource, or does not any more. */
function grants(role: string, resource: string, expected: boolean): RequestStep {
  const has = ({ rules }: any): boolean => (rules ?? []).some(({ resources }: any) => resources?.includes(resource));
  return settles(`${roles}/${role}`, (body) => has(body) === expected, { pick: has });
}

function rulesOf(roles: any[], name: string): any[] {
  return own(roles.find(({ metadata }) => metadata.name === name).rules) ?? [];
}

/** Without what another scenario has added. */
function own(rules: any[] | undefined): any[] | undefined {
  return rules?.filter(({ apiGroups }) => !apiGroups?.includes("example.com"));
}

function roleOf({ metadata, rules, roleRef, subjects, aggregationRule }: any): object {
  const { name, namespace, labels, annotations } = metadata;
  return { metadata: { name, namespace, labels, annotations }, rules: own(rules), roleRef, subjects, aggregationRule };
}

/** Who may act: service accounts and their tokens, roles made of others. */
export const scenarios: Scenarios = {
  "controllers-accounts": [
    settle(`${core}/serviceaccounts`, (items) => items.length === 1),
    settle(`${core}/configmaps`, (items) => items.length === 1, {
      of: (object) => ({ ...brief(object), keys: Object.keys(object.data) }),
      save: { uid: "items.0.metadata.uid" },
    }),
    remove(`${core}/configmaps/kube-root-ca.crt`),
    settles(`${core}/configmaps/kube-root-ca.crt`, ({ metadata }) => metadata.uid, { pick: identity }),
    change(`${core}/configmaps/kube-root-ca.crt`, { data: { "ca.crt": "other", more: "x" } }),
    settles(`${core}/configmaps/kube-root-ca.crt`, ({ data }) => data["ca.crt"] !== "other", {
      pick: ({ data }) => Object.keys(data),
    }),
    remove(`${core}/serviceaccounts/default`),
    settles(`${core}/serviceaccounts/default`, () => true, { pick: identity }),
    create(`${core}/serviceaccounts`, { metadata: { name: "robot" } }),
    create(`${core}/secrets`, token),
    settles(`${core}/secrets/t`, ({ data }) => data?.token, { pick: ofSecret }),
    remove(`${core}/serviceaccounts/robot`),
    gone(`${core}/secrets/t`),
  ],
  "controllers-aggregation": [
    create(roles, { metadata: { name: "{ns}-one", labels: { "{ns}": "part" } }, rules: rules("ones") }),
    create(roles, {
      metadata: { name: "{ns}" },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "{ns}": "part" } }] },
      rules: rules("lost"),
    }),
    settles(`${roles}/{ns}`, ({ rules }) => rules?.[0]?.resources[0] === "ones", { pick: (role) => role.rules }),
    create(roles, { metadata: { name: "{ns}-two", labels: { "{ns}": "part" } }, rules: rules("twos") }),
    settles(`${roles}/{ns}`, ({ rules }) => rules.length === 2, { pick: (role) => role.rules }),
    remove(`${roles}/{ns}-one`),
    settles(`${roles}/{ns}`, ({ rules }) => rules.length === 1, { pick: (role) => role.rules }),
    create(roles, {
      metadata: { name: "{ns}-view", labels: { "rbac.authorization.k8s.io/aggregate-to-view": "true" } },
      rules: rules("views"),
    }),
    settles(`${roles}/edit`, ({ rules }) => rules.some(({ resources }: any) => resources?.includes("views")), {
      pick: (role) => role.rules.filter(({ resources }: any) => resources?.includes("views")),
    }),
    remove(`${roles}/{ns}-view`),
    remove(`${roles}/{ns}-two`),
    remove(`${roles}/{ns}`),
  ],
  "controllers-aggregation-changes": [
    create(roles, {
      metadata: { name: "{ns}-more", labels: { "rbac.authorization.k8s.io/aggregate-to-view": "true" } },
      rules: rules("things"),
    }),
    ...["view", "edit", "admin"].map((role) => grants(role, "things", true)),
    // Other rules of the same role.
    change(`${roles}/{ns}-more`, { rules: rules("others") }),
    ...["view", "edit", "admin"].map((role) => grants(role, "others", true)),
    ...["view", "edit", "admin"].map((role) => grants(role, "things", false)),
    // Another label.
    change(`${roles}/{ns}-more`, {
      metadata: {
        labels: {
          "rbac.authorization.k8s.io/aggregate-to-view": null,
          "rbac.authorization.k8s.io/aggregate-to-admin": "true",
        },
      },
    }),
    ...["view", "edit"].map((role) => grants(role, "others", false)),
    grants("admin", "others", true),
    // Another selector, which replaces the rules that others have written.
    create(roles, {
      metadata: { name: "{ns}-sum" },
      aggregationRule: {
        clusterRoleSelectors: [{ matchExpressions: [{ key: "{ns}", operator: "Exists" }] }],
      },
    }),
    change(`${roles}/{ns}-more`, { metadata: { labels: { "{ns}": "x" } } }),
    settles(`${roles}/{ns}-sum`, ({ rules }) => rules?.length === 1, { pick: (role) => role.rules }),
    change(`${roles}/{ns}-sum`, {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "{ns}": "none" } }] },
    }),
    settles(`${roles}/{ns}-sum`, ({ rules }) => !rules?.length, { pick: ({ rules }) => ({ rules }) }),
    change(`${roles}/{ns}-sum`, { aggregationRule: null, rules: rules("kept") }),
    remove(`${roles}/{ns}-more`),
    grants("admin", "others", false),
    settles(`${roles}/{ns}-sum`, ({ rules }) => rules?.length === 1, { pick: ({ rules }) => ({ rules }) }),
    remove(`${roles}/{ns}-sum`),
  ],
  "controllers-roles": ["clusterroles", "clusterrolebindings", "roles", "rolebindings"].map((plural) => ({
    request: `GET /apis/rbac.authorization.k8s.io/v1/${plural}`,
    until: ({ items }) => plural !== "clusterroles" || rulesOf(items, "admin").length >= 29,
    // Other scenarios have roles of their own.
    pick: ({ items }) => items.filter(({ metadata }: any) => !metadata.name.startsWith("c-")).map(roleOf),
  })),
};
