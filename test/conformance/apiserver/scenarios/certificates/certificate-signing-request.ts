import { merge, type Scenarios } from "../../scenario.ts";
import { DELETE, GET, PATCH, POST, PUT } from "../../requests.ts";

const requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

/** A request for the name "jane", as `openssl req -new` makes it. */
const pem =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQ1ZEQ0NBVHdDQVFBd0R6RU5NQXNHQTFVRUF3d0VhbUZ1WlRDQ0FTSXdEUVlKS29aSWh2Y05BUUVCQlFBRApnZ0VQQURDQ0FRb0NnZ0VCQU1PRDJDLzFQMmR0TUlvL2x3QkplWU4yY0FMZFZEakJJR2YyeDdqTXBJSFdoVkhpCmZTRU9XLzdlbWJWOVpuc1FQR0REL0hCbjIzc2NNTlByL09yVE9YRURXdFZ3Q2tEcnllZzNhVXZTNERjakZJVnUKdUQ5MGU5NWRReERub2xUcDloMlN4SDdIUzRsbnJPZTl3WU0rYlo3RFJVa2RhWWVTU1NaV0g1ZkRMNG96NzZSWgozOHA4c092bVVTQy8zaTdBWU91ZjhIUDMwRXdTRjUyUUZjY2h3YndkT01LTFM0eXRWcHEvZ0FLY0NkdzczVzhYCko3eldDUmRKNEd5V3RzWWh2V1l4NldJbDVlZ0Y1YVgrQThUTk56RWdJM0ZmU21JL0pLbzE1SDJFUGlDVklnNXgKODhEeG1pZ0VIbUY1Slhkd2xOKzdGdzJ2ZVQwTml6RjZKU1VjaCtjQ0F3RUFBYUFBTUEwR0NTcUdTSWIzRFFFQgpDd1VBQTRJQkFRQjh2VENLMU55dy9zU25nS3RCQ2VFNnpLSWxLL3Z1eGRUN2xyOS9PeVUyck56QVNlcGI5QkhtCnN3ZGVRZVRiTW1hRVVwUTJIMG5xVWFPM3ZJaFJsciszQmVlWGMybG1INGo5N1JZd1psRnBBeTJWc3FUY044alIKZVVsUjRtQTRPQm81Vk1zVmhsS0dESThIeEk5WGZjTUE5blpuMFYvb2d6bVFDQ1h0dTBsNnhqSTRpam9RR3luMwpnWkhOaGY1dXh2NDFlU1RXL1pVV0dtTCtsd1BBVWx2NGcwVVVONG9pcHN4d3BOMnZBc3JRVVlkS1ZMRFRycEhFClE2SVoxbmwrSFVHM1B0TVRIcmxVRFVVazZiTnVoNmhVSlVSRmgxTGN2RWk0T2dJeVF6a01Xb2pLenY0dSt5ZDQKaVlBQzlDY3NuSER1ekcvc21wSHdzOE1EbWFhbEtIQzUKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

const approval = (type: string) => ({
  metadata: { name: "{ns}" },
  status: { conditions: [{ type, status: "True", reason: "Seen", message: "ok" }] },
});

/** Everything but the times and the request itself. */
const essence = (body: any) =>
  body.kind === "Status"
    ? body
    : {
        spec: { ...body.spec, request: undefined },
        conditions: body.status.conditions?.map(
          ({ lastUpdateTime, lastTransitionTime, ...condition }: Record<string, unknown>) => [
            condition,
            typeof lastUpdateTime,
            typeof lastTransitionTime,
          ],
        ),
        certificate: body.status.certificate,
      };

export const scenarios: Scenarios = {
  certificates: [
    POST(
      requests,
      {
        metadata: { name: "{ns}" },
        spec: { signerName: "example.com/x", usages: ["client auth"], request: pem, username: "somebody" },
        status: { conditions: [{ type: "Approved", status: "True" }] },
      },
      { headers: { "impersonate-user": "jane", "impersonate-group": "system:masters" }, pick: essence },
    ),
    PUT(`${requests}/{ns}/approval`, approval("Approved"), { pick: essence }),
    PUT(`${requests}/{ns}/approval`, approval("Approved"), { pick: essence }),
    PATCH(
      `${requests}/{ns}`,
      merge,
      { metadata: { labels: { a: "b" } }, spec: { signerName: "example.com/y" }, status: null },
      { pick: essence },
    ),
    GET(`${requests}/{ns}/approval`, { pick: essence }),
    PATCH(
      `${requests}/{ns}/approval`,
      merge,
      { metadata: { annotations: { by: "jane" }, labels: { c: "d" } } },
      { pick: ({ metadata: { annotations, labels } }) => ({ annotations, labels }) },
    ),
    PUT(
      `${requests}/{ns}/approval`,
      { ...approval("Approved"), metadata: { name: "{ns}", resourceVersion: "1" } },
      { pick: ({ reason, metadata }) => reason ?? metadata },
    ),
    DELETE(`${requests}/{ns}`, { unrecorded: true }),
  ],
};
