// An operator that needs nothing but Node: it makes a StatefulSet for each Widget. Its arguments choose what a version does.
import { readFileSync } from "node:fs";

const flags = new Set(process.argv.slice(2));
const kubeconfig = readFileSync(process.env.KUBECONFIG, "utf8");
const [server, token] = [/server: (.*)/, /token: (.*)/].map((field) => kubeconfig.match(field)[1]);
const widgets = "/apis/example.com/v1/widgets";

async function call(method, path, body, type = "application/json") {
  const headers = { authorization: `Bearer ${token}`, "content-type": type };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(server + path, { method, headers, ...sent });
  if (!answer.ok) console.log(`level=error ${method} ${path}: ${(await answer.json()).message}`);
  return answer;
}

/** Returns the StatefulSet of a Widget. */
function statefulSetOf({ metadata: { name, namespace, uid }, spec }, image) {
  const labels = { widget: name };
  const owner = { apiVersion: "example.com/v1", kind: "Widget", name, uid, controller: true };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name, namespace, ownerReferences: [owner] },
    spec: {
      replicas: spec.size,
      serviceName: name,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: "main", image, args: ["--name", name], envFrom: [{ secretRef: { name: "settings" } }] }],
        },
      },
    },
  };
}

const { items } = await (await call("GET", widgets)).json();
for (const widget of items) {
  const { name, namespace } = widget.metadata;
  const workload = statefulSetOf(widget, flags.has("v2") ? "widget:2" : "widget:1");
  const path = `/apis/apps/v1/namespaces/${namespace}/statefulsets/${name}`;
  await call("PATCH", `${path}?fieldManager=widgets&force=true`, workload, "application/apply-patch+yaml");
  const seen = { status: { seen: `${Date.now()}` } };
  if (flags.has("noisy"))
    await call(
      "PATCH",
      `${widgets.replace("/widgets", "")}/namespaces/${namespace}/widgets/${name}/status`,
      seen,
      "application/merge-patch+json",
    );
  if (flags.has("labels"))
    await call(
      "PATCH",
      `${widgets.replace("/widgets", "")}/namespaces/${namespace}/widgets/${name}`,
      { metadata: { labels: { seen: "yes" } } },
      "application/merge-patch+json",
    );
  if (flags.has("drops-claims"))
    await call("DELETE", `/api/v1/namespaces/${namespace}/persistentvolumeclaims/data-${name}`);
  if (flags.has("makes-maps"))
    await call("POST", `/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: `${name}-map` } });
}
if (flags.has("ends")) process.exit(3);
const watch = await call("GET", `${widgets}?watch=true`);
for await (const _event of watch.body);
