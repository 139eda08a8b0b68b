import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { TsopError } from "../../errors/tsop-error.ts";

/** No API server stores a larger object: etcd refuses requests of more than 1.5 MB. */
const mostMegabytes = 8;
/** Names become keys of the copy and words of the report. */
const accepted = /^(?!\.{1,2}$)[^/\p{Cc}]{1,253}$/u;

/** Refuses an object that no API server stores. */
export function checkCopied(object: UnstructuredObject): void {
  const { kind = "object", metadata } = object;
  const { namespace = "none", name = "" } = metadata;
  const megabytes = Math.round(JSON.stringify(object).length / 1024 / 1024);
  const isNamed = [namespace, name].every((each) => typeof each === "string" && accepted.test(each));
  if (isNamed && megabytes <= mostMegabytes) return;
  const reason = isNamed ? `it has ${megabytes} MB` : "no API server accepts its name or its namespace";
  throw new TsopError("TSOP_PLAN_OBJECT_INVALID", { object: `${kind} ${JSON.stringify(name).slice(0, 300)}`, reason });
}
