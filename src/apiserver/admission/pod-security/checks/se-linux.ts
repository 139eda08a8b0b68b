import { type Fields, childIf, textOf } from "../../../../apimachinery/fields.ts";
import { contextOf, namesWhere, type PodCheck } from "./pod-check.ts";
import { countWord, quoteAll, settersText, sortedSet } from "./words.ts";

const types: readonly string[] = ["", "container_t", "container_init_t", "container_kvm_t"];
const typesSince31: readonly string[] = [...types, "container_engine_t"];

/** Forbids labels of SELinux that do not belong to containers. */
export const seLinuxOptions: PodCheck = (pod, version) => {
  const allowed = version >= 31 ? typesSince31 : types;
  const isWrong = (specOrContainer: Fields): boolean => {
    const { type, user, role } = optionsOf(specOrContainer);
    return !allowed.includes(type) || user !== "" || role !== "";
  };
  const setters = settersText(isWrong(pod.spec), namesWhere(pod, isWrong));
  if (setters === "") return undefined;
  const options = [pod.spec, ...pod.containers].map(optionsOf);
  const wrong = sortedSet(options.map(({ type }) => type).filter((type) => !allowed.includes(type)));
  const found = [
    ...(wrong.length > 0 ? [`${countWord(wrong.length, "type")} ${quoteAll(wrong)}`] : []),
    ...(options.some(({ user }) => user !== "") ? ["user may not be set"] : []),
    ...(options.some(({ role }) => role !== "") ? ["role may not be set"] : []),
  ];
  const detail = `${setters} set forbidden securityContext.seLinuxOptions: ${found.join("; ")}`;
  return { reason: "seLinuxOptions", detail };
};

function optionsOf(specOrContainer: Fields): { type: string; user: string; role: string } {
  const options = childIf(contextOf(specOrContainer), "seLinuxOptions");
  return { type: textOf(options?.["type"]), user: textOf(options?.["user"]), role: textOf(options?.["role"]) };
}
