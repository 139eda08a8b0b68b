import { strategic, type RequestStep, type Scenarios } from "../../scenario.ts";
import { core, dry } from "../../steps.ts";
import { GET, PATCH, POST } from "../../requests.ts";

const newEvents = "/apis/events.k8s.io/v1/namespaces/{ns}";
const eventTime = "2026-01-01T00:00:00.000000Z";
const pod = { kind: "Pod", name: "p", namespace: "{ns}" };
const event = (name: string): RequestStep =>
  POST(`${core}/events`, {
    metadata: { name },
    involvedObject: { ...pod, name, uid: `uid-${name}` },
    reason: name,
    type: "Normal",
    reportingComponent: "me",
  });
const names = ({ kind, message, items }: any): unknown =>
  kind === "Status" ? message : items.map(({ metadata }: any) => metadata.name);
const select = (path: string, field: string): RequestStep =>
  GET(`${path}/events?fieldSelector=${encodeURIComponent(field)}`, { pick: names });

export const scenarios: Scenarios = {
  event: [
    POST(`${core}/events`, {
      metadata: { name: "a" },
      involvedObject: { kind: "Pod", namespace: "{ns}", name: "p" },
      reason: "R",
      message: "M",
      type: "Normal",
      count: 1,
      firstTimestamp: "2024-01-01T00:00:00Z",
      lastTimestamp: "2024-01-01T00:00:00Z",
      source: { component: "c" },
    }),
    GET("/apis/events.k8s.io/v1/namespaces/{ns}/events/a"),
    POST("/apis/events.k8s.io/v1/namespaces/{ns}/events", {
      metadata: { name: "b" },
      regarding: { kind: "Pod", namespace: "{ns}", name: "p" },
      reason: "R",
      note: "M",
      type: "Normal",
      action: "Do",
      eventTime: "2024-01-01T00:00:00.000000Z",
      reportingController: "x.io/c",
      reportingInstance: "i",
    }),
    GET(`${core}/events/b`),
    PATCH(`${core}/events/a`, strategic, { count: 2 }),
  ],
  "event-fields": [
    event("a"),
    event("b"),
    ...["regarding.name=a", "regarding.kind=Pod", "regarding.uid=uid-b", "reason!=a", "type=Normal"].map((field) =>
      select(newEvents, field),
    ),
    ...["reportingController=me", "reportingComponent=me", "involvedObject.name=a", "note=x", "source=x"].map((field) =>
      select(newEvents, field),
    ),
    ...["regarding.name=a", "reportingController=me", "reportingComponent=me", "involvedObject.name=b"].map((field) =>
      select(core, field),
    ),
  ],
  "event-values": [
    ...[
      {},
      { involvedObject: { ...pod, namespace: "other" } },
      { involvedObject: { kind: "Node", name: "n" } },
      { involvedObject: { ...pod, namespace: undefined } },
      { involvedObject: { kind: "Node", name: "n", namespace: "other" } },
      { type: "Nope", count: -1 },
      { reason: "x".repeat(200), message: "x".repeat(2000) },
    ].map((fields) => dry(`${core}/events`, { involvedObject: pod, reason: "R", message: "m", ...fields })),
    ...[{}, { regarding: { ...pod, namespace: "other" } }].map((fields) =>
      dry(`${newEvents}/events`, {
        regarding: pod,
        reason: "R",
        action: "A",
        type: "Normal",
        eventTime,
        reportingController: "example.com/c",
        reportingInstance: "c-1",
        ...fields,
      }),
    ),
  ],
};
