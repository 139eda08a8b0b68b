// Objects of a kind of its own on a server, and clients that parse nothing: the driver shares the machine with the server.
import { openConnection } from "./thin-client.mjs";

const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.bench.example.com" },
  spec: {
    group: "bench.example.com",
    names: { plural: "widgets", kind: "Widget" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                required: ["size"],
                properties: {
                  size: { type: "integer", format: "int32", minimum: 0 },
                  image: { type: "string", default: "memcached:1.6" },
                  args: { type: "array", items: { type: "string" } },
                },
              },
              status: { type: "object", properties: { ready: { type: "integer" } } },
            },
          },
        },
      },
    ],
  },
};
export const path = "/apis/bench.example.com/v1/namespaces/default/widgets";

export function widget(index, spec = {}) {
  return {
    apiVersion: "bench.example.com/v1",
    kind: "Widget",
    metadata: {
      namespace: "default",
      name: `w-${index}`,
      labels: { app: "bench", "bench.example.com/index": `${index}` },
    },
    spec: { size: 3, args: ["-v", "--max=10"], ...spec },
  };
}

/** Distributes the work: each connection takes the next number when it is free. */
export async function spread(pool, count, work) {
  const next = Array.from({ length: count }, (_, index) => index).values();
  await Promise.all(
    pool.map(async (connection) => {
      for (const index of next) await work(connection, index);
    }),
  );
}

/** Creates the CRD, and waits until its objects can be created. */
export async function establish(connection) {
  await connection.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    body: JSON.stringify(crd),
  });
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      await connection.send("GET", path);
      // A real server rejects writes for a moment after it starts to respond to reads.
      await connection.send("POST", `${path}?dryRun=All`, { body: JSON.stringify(widget("probe")) });
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/**
 * Opens a watch. `done` settles after the given number of added objects. Counts matches in the text, so that the driver
 * parses nothing.
 */
export async function openWatch(access, expected, query = "") {
  const connection = await openConnection(access);
  let added = 0;
  let rest = "";
  let settle;
  const done = new Promise((resolve) => (settle = resolve));
  const opened = new Promise((resolve) => {
    connection.stream(`${path}?watch=true&${query}`, (chunk) => {
      resolve();
      const text = rest + chunk.toString("latin1");
      const end = text.lastIndexOf("}\n") + 1;
      rest = text.slice(end);
      // The frames of a chunked response begin anywhere, even within a word.
      const whole = text.slice(0, end).replace(/\r\n[0-9a-f]+\r\n/g, "");
      added += whole.split('"type":"ADDED"').length - 1;
      if (added >= expected) settle();
    });
  });
  await opened;
  return { done, close: connection.close };
}
