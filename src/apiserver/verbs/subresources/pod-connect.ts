import { invalidError } from "../../../apimachinery/invalid-error.ts";
import { required } from "../../../apimachinery/field-error.ts";
import { ApiError, failure } from "../../../apimachinery/status.ts";
import { requireAccess } from "../../access/authorization.ts";
import { badRequest, notFound, notImplemented } from "../../refusals.ts";
import { portChannelsProtocol, portForwardProtocols, servePortForward } from "../../streaming/port-forward.ts";
import { remoteCommandProtocols, serveCommand, type PodConnections } from "../../streaming/remote-command.ts";
import { negotiateUpgrade, wantsUpgrade, type Handshake } from "../../streaming/upgrade.ts";
import { keyOf, type Answer, type Call } from "../request/call.ts";
import type { UnstructuredObject } from "../../../apimachinery/meta.ts";
import { partOf, ofPartKind, dropUndefined } from "../object/part.ts";
import { admitMutating, admitValidating, needsAdmission } from "../write/admit.ts";
import type { Pod } from "../../../k8s/core/v1.ts";
import { chosenContainer } from "./pod-log.ts";
import { isTrue } from "../request/selection.ts";

/** Connects a client with a pod: exec, attach and port-forward. */
export async function podConnect(call: Call): Promise<Answer> {
  const { core, request, name, subresource = "", namespace = "" } = call;
  // A WebSocket begins with a GET, and must not need less than a POST.
  if (request.method === "GET") {
    const at = { group: "", version: "v1", resource: "pods", subresource, namespace, name };
    requireAccess(core, { user: request.user, verb: "create", ...at });
  }
  const options = await admitConnection(call);
  const connections = core.host.podConnections;
  if (!connections) throw notImplemented(`pods/${subresource} is not served: no containers run here`);
  const pod = call.collection.get(keyOf(call)) as Pod | undefined;
  if (!pod) throw notFound(call.entry.resource, name);
  if (!pod.spec?.nodeName) throw badRequest(`pod ${name} does not have a host assigned`);
  if (subresource === "portforward") return forward(call, pod, options.ports ?? [], connections);
  const container = chosenContainer(name, options.container, pod);
  const target = { namespace, pod: name, container };
  const { stdin = false, stdout = false, stderr = false, tty = false } = options;
  const command = options.command ?? [];
  const kind = { group: "", kind: subresource === "exec" ? "PodExecOptions" : "PodAttachOptions" };
  if (!stdin && !stdout && !stderr) throw badRequest("you must specify at least 1 of stdin, stdout, stderr");
  if (subresource === "exec" && command.length === 0) throw invalidError(kind, "", [required("command")]);
  const state = pod.status?.containerStatuses?.find((each) => each.name === container)?.state;
  if (!state?.running) throw unableToUpgrade(`container not found ("${container}")`);
  const handshake = agree(call, remoteCommandProtocols);
  const wanted = { stdin, stdout, stderr: stderr && !tty, tty };
  return {
    type: "connect",
    handshake,
    serve: (upgraded) =>
      serveCommand(handshake, upgraded, wanted, (streams) =>
        subresource === "exec"
          ? connections.exec({ ...target, command, tty }, streams)
          : connections.attach(target, streams),
      ),
  };
}

/** Shows the options of a connection to policies and webhooks, and returns them as these leave them. */
async function admitConnection(call: Call): Promise<ConnectOptions> {
  const options = readConnectOptions(call);
  if (!needsAdmission(call)) return options;
  const { kind, apiVersion } = partOf(ofPartKind(call));
  const shown = { kind, apiVersion, ...options } as unknown as UnstructuredObject;
  const object = await admitMutating(call, { operation: "CONNECT", object: shown, dryRun: false });
  await admitValidating(call, { operation: "CONNECT", object, dryRun: false });
  return (object ?? {}) as ConnectOptions;
}

function forward(call: Call, { status }: Pod, ports: readonly number[], connections: PodConnections): Answer {
  const { name, namespace = "" } = call;
  if (status?.phase !== "Running") throw unableToUpgrade(`pod not found ("${name}_${namespace}")`);
  const handshake = agree(call, portForwardProtocols);
  if (handshake.protocol === portChannelsProtocol && ports.length === 0)
    throw badRequest('query parameter "port" is required');
  const connect = (port: number) => connections.connect({ namespace, pod: name }, port);
  return { type: "connect", handshake, serve: (upgraded) => servePortForward(handshake, upgraded, ports, connect) };
}

function agree({ request }: Call, spoken: Parameters<typeof negotiateUpgrade>[1]): Handshake {
  if (!wantsUpgrade(request.headers)) throw badRequest("Upgrade request required");
  const handshake = negotiateUpgrade(request.headers, spoken);
  if (handshake) return handshake;
  const all = [...spoken.websocket, ...spoken.spdy];
  throw unableToUpgrade(`unable to negotiate protocol: server accepts [${all.join(" ")}]`);
}

function unableToUpgrade(why: string): ApiError {
  return new ApiError(failure("InternalError", `Internal error occurred: unable to upgrade connection: ${why}`));
}

/**
 * The options of a connection to a pod, which come as query parameters, and are the object that policies and webhooks
 * see.
 */
interface ConnectOptions {
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly tty?: boolean;
  readonly container?: string;
  readonly command?: readonly string[] | null;
  readonly ports?: readonly number[];
}

/** Reads the options of an `exec`, `attach` or `portforward`. False and empty ones are absent, but for the command. */
function readConnectOptions({ query, subresource }: Pick<Call, "query" | "subresource">): ConnectOptions {
  if (subresource === "portforward") {
    const ports = query.getAll("ports").map(Number);
    return ports.length > 0 ? { ports } : {};
  }
  const flags = ["stdin", "stdout", "stderr", "tty"].map((name) => [name, isTrue(query.get(name)) || undefined]);
  const command = query.getAll("command");
  return {
    ...dropUndefined(Object.fromEntries(flags) as Record<string, unknown>),
    ...dropUndefined({ container: query.get("container") || undefined }),
    ...(subresource === "exec" && { command: command.length > 0 ? command : null }),
  };
}
