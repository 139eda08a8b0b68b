import type { JSX } from "preact";
import type { RequestRow } from "../../window/contract.ts";
import { Badge } from "../parts/status.tsx";
import { linkTo } from "../state/address.ts";
import { formatTook } from "../state/clock.ts";

/** A request in one line, as a link to it. */
export function RequestLine({ row }: { readonly row: RequestRow }): JSX.Element {
  const { n, verb, resource, namespace, name, status, took } = row;
  return (
    <a href={linkTo("requests", { sel: String(n) })}>
      <span class={status >= 400 ? "status bad" : "status"}>{status}</span> {verb} {resource}{" "}
      {namespace && `${namespace}/`}
      {name} <span class="quiet">{formatTook(took)}</span> <RequestFlag row={row} />
    </a>
  );
}

/** Marks a request that stands out. */
export function RequestFlag({ row: { flag } }: { readonly row: RequestRow }): JSX.Element {
  return flag ? <Badge text={flag} tone={flag === "no-op" ? "busy" : "bad"} /> : <></>;
}
