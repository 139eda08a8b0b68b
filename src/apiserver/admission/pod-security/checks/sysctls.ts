import { items, textOf } from "../../../../apimachinery/fields.ts";
import { contextOf, type PodCheck } from "./pod-check.ts";

/** The parameters of the kernel that a pod may set, with the minor version since which it may if that is after 1.25. */
const allowedSince: ReadonlyMap<string, number> = new Map([
  ["kernel.shm_rmid_forced", 0],
  ["net.ipv4.ip_local_port_range", 0],
  ["net.ipv4.tcp_syncookies", 0],
  ["net.ipv4.ping_group_range", 0],
  ["net.ipv4.ip_unprivileged_port_start", 0],
  ["net.ipv4.ip_local_reserved_ports", 27],
  ["net.ipv4.tcp_keepalive_time", 29],
  ["net.ipv4.tcp_fin_timeout", 29],
  ["net.ipv4.tcp_keepalive_intvl", 29],
  ["net.ipv4.tcp_keepalive_probes", 29],
  ["net.ipv4.tcp_rmem", 32],
  ["net.ipv4.tcp_wmem", 32],
]);

/** Forbids parameters of the kernel that other pods of the node share. */
export const sysctls: PodCheck = ({ spec }, version) => {
  const names = items(contextOf(spec), "sysctls").map(({ name }) => textOf(name));
  const wrong = names.filter((name) => {
    const since = allowedSince.get(name);
    return since === undefined || version < since;
  });
  return wrong.length === 0 ? undefined : { reason: "forbidden sysctls", detail: wrong.join(", ") };
};
