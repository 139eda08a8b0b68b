import { expect, it } from "vitest";
import { manualClock } from "../../../../src/testing/manual-clock.ts";
import { asker } from "../ask.ts";

const headers = { "content-type": "application/apply-patch+yaml" };
const labels = { app: "a" };
const claim = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};
const set = {
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "a" },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } },
    volumeClaimTemplates: [claim],
  },
};

it("changes nothing if an object is applied again whose list has defaults in its items", async () => {
  const clock = manualClock();
  const api = asker({ clock });
  const apply = (body: object) =>
    api.ask("PATCH", "/apis/apps/v1/namespaces/default/statefulsets/a?fieldManager=me", body, headers);
  const first = await apply(set);
  expect(first.body).toMatchObject({ kind: "StatefulSet" });
  expect(first.body.spec.volumeClaimTemplates[0].spec.volumeMode).toBe("Filesystem");

  await clock.advance(5_000);
  const again = await apply(set);
  expect(again.body).toEqual(first.body);

  const scaled = await apply({ ...set, spec: { ...set.spec, replicas: 2 } });
  expect(scaled.body.metadata.managedFields[0].time).not.toBe(first.body.metadata.managedFields[0].time);
  api.server.close();
});
