import { merge, type Scenarios } from "../../scenario.ts";
import { core } from "../../steps.ts";
import { PATCH, POST } from "../../requests.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const secret = (type: string, data: Readonly<Record<string, string>>, annotations?: object) =>
  POST(`${core}/secrets?dryRun=All`, { metadata: { name: "s", annotations }, type, stringData: data });

/** Bytes may be written as numbers. */
const bytes = [[null], [1, 2, 255], [], [256], [-1], ["x"], [1.5], [[1]], [true], {}];

export const scenarios: Scenarios = {
  "typed-secrets": [
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
    POST(`${core}/secrets`, {
      metadata: { name: "t" },
      type: "kubernetes.io/tls",
      data: { "tls.crt": base64("a"), "tls.key": "" },
    }),
    PATCH(`${core}/secrets/t`, merge, { data: { "tls.crt": null } }),
    PATCH(`${core}/secrets/t`, merge, { type: "Opaque" }),
  ],
  "secret-data": [
    POST(`${core}/secrets`, { metadata: { name: "a" }, stringData: { x: "hello" }, data: { y: "eA==" } }),
    POST(`${core}/secrets`, { metadata: { name: "b" }, data: { y: "not base64!" } }),
    PATCH(`${core}/secrets/a`, merge, { type: "other" }),
    ...["aGVsbG8=\n", "aGVs\r\nbG8=", "aGVsbG8", "aGVs bG8=", "", null, 7, ...bytes].map((k) =>
      POST(`${core}/secrets?dryRun=All`, { metadata: { name: "s" }, data: { k } }),
    ),
  ],
};
