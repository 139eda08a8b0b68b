import { merge, type Scenario } from "../../scenario.ts";
import { core } from "../../steps.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const secret = (type: string, data: Readonly<Record<string, string>>, annotations?: object) => ({
  request: `POST ${core}/secrets?dryRun=All`,
  body: { metadata: { name: "s", annotations }, type, stringData: data },
});

/** Bytes may be written as numbers. */
const bytes = [[null], [1, 2, 255], [], [256], [-1], ["x"], [1.5], [[1]], [true], {}];

export const scenarios: readonly Scenario[] = [
  {
    name: "typed-secrets",
    steps: [
      secret("kubernetes.io/tls", { a: "b" }),
      secret("kubernetes.io/tls", { "tls.crt": "", "tls.key": "" }),
      secret("kubernetes.io/basic-auth", { a: "b" }),
      secret("kubernetes.io/basic-auth", { username: "b" }),
      secret("kubernetes.io/ssh-auth", { a: "b" }),
      secret("kubernetes.io/ssh-auth", { "ssh-privatekey": "" }),
      secret("kubernetes.io/dockerconfigjson", { a: "b" }),
      secret("kubernetes.io/dockerconfigjson", { ".dockerconfigjson": "{}" }),
      secret("kubernetes.io/dockercfg", { a: "b" }),
      secret("kubernetes.io/service-account-token", { a: "b" }),
      secret("kubernetes.io/service-account-token", {}, { "kubernetes.io/service-account.name": "x" }),
      secret("bootstrap.kubernetes.io/token", {}),
      {
        request: `POST ${core}/secrets`,
        body: { metadata: { name: "t" }, type: "kubernetes.io/tls", data: { "tls.crt": base64("a"), "tls.key": "" } },
      },
      { request: `PATCH ${core}/secrets/t`, headers: merge, body: { data: { "tls.crt": null } } },
      { request: `PATCH ${core}/secrets/t`, headers: merge, body: { type: "Opaque" } },
    ],
  },
  {
    name: "secret-data",
    steps: [
      {
        request: `POST ${core}/secrets`,
        body: { metadata: { name: "a" }, stringData: { x: "hello" }, data: { y: "eA==" } },
      },
      { request: `POST ${core}/secrets`, body: { metadata: { name: "b" }, data: { y: "not base64!" } } },
      { request: `PATCH ${core}/secrets/a`, headers: merge, body: { type: "other" } },
      ...["aGVsbG8=\n", "aGVs\r\nbG8=", "aGVsbG8", "aGVs bG8=", "", null, 7, ...bytes].map((k) => ({
        request: `POST ${core}/secrets?dryRun=All`,
        body: { metadata: { name: "s" }, data: { k } },
      })),
    ],
  },
];
