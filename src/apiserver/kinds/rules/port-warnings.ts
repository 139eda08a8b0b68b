import { type Fields, items, textOf } from "../../../apimachinery/fields.ts";

interface Placed {
  readonly port: Fields;
  readonly at: string;
}

/** The most ports that are compared, as each is compared with all others; a response has room for few warnings anyway. */
const mostCompared = 200;

/** Returns warnings about ports of a pod that are the same, by number or by name; each is compared with those before it. */
export function portWarnings(spec: Fields | undefined, path: string): string[] {
  const ports = ["initContainers", "containers"].flatMap((list) =>
    items(spec, list).flatMap((container, index) =>
      items(container, "ports").map((port, place) => ({ port, at: `${path}.${list}[${index}].ports[${place}]` })),
    ),
  );
  const compared = ports.slice(0, mostCompared);
  return [
    ...compared.flatMap((each, index) => [...unusedAddress(each), ...overlaps(each, compared.slice(0, index))]),
    ...repeatedNames(ports),
  ];
}

/** Warns of an address of the node on which the pod takes no port. */
function unusedAddress({ port, at }: Placed): string[] {
  const { name, hostPort, containerPort, protocol, hostIP } = port;
  if (hostPort || !hostIP) return [];
  const values = { Name: name, HostPort: 0, ContainerPort: containerPort, Protocol: protocol, HostIP: hostIP };
  const shown = Object.entries(values).map(([field, value]) => `${field}:${(value ?? "") as string | number}`);
  return [`${at}: hostIP set without hostPort: {${shown.join(" ")}}`];
}

function overlaps({ port, at }: Placed, earlier: readonly Placed[]): string[] {
  return earlier
    .filter((other) => other.port["containerPort"] === port["containerPort"])
    .filter((other) => other.port["protocol"] === port["protocol"])
    .flatMap((other) => {
      const how = overlapOf(addressOf(port), addressOf(other.port));
      return how === undefined ? [] : [`${at}: ${how} port definition with ${other.at}`];
    });
}

interface HostAddress {
  readonly port: number;
  readonly ip: string;
}

function addressOf({ hostPort, hostIP }: Fields): HostAddress {
  return { port: Number(hostPort ?? 0), ip: textOf(hostIP) };
}

function overlapOf(one: HostAddress, other: HostAddress): string | undefined {
  if (one.port === other.port && one.ip === other.ip) return "duplicate";
  if (one.port === 0 || other.port === 0) return "overlapping";
  const isAmbiguous = one.port === other.port && (one.ip === "") !== (other.ip === "");
  return isAmbiguous ? "dangerously ambiguous" : undefined;
}

function repeatedNames(ports: readonly Placed[]): string[] {
  const first = new Map<string, string>();
  return ports.flatMap(({ port, at }) => {
    const name = textOf(port["name"]);
    const before = first.get(name);
    if (name === "") return [];
    if (before === undefined) {
      first.set(name, at);
      return [];
    }
    const effect = `services and probes that select ports by name will use ${before}`;
    return [`${at}: duplicate port name ${JSON.stringify(name)} with ${before}, ${effect}`];
  });
}
