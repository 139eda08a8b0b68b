import { type Fields, childIf, textOf } from "../../../../apimachinery/fields.ts";
import { contextOf, namesWhere, type CheckedPod, type PodCheck } from "./pod-check.ts";
import { countWord, quoteAll, settersText, sortedSet } from "./words.ts";

/** Forbids to run without a profile of AppArmor. */
export const appArmorProfile: PodCheck = (pod) => {
  const annotations = wrongAnnotations(pod);
  const setters = [
    settersText(isWrong(pod.spec), namesWhere(pod, isWrong)),
    ...(annotations.length > 0 ? [countWord(annotations.length, "annotation")] : []),
  ].filter((setter) => setter !== "");
  if (setters.length === 0) return undefined;
  const types = sortedSet([pod.spec, ...pod.containers].filter(isWrong).map((each) => typeOf(each) ?? ""));
  const values = [...types, ...annotations];
  return {
    reason: countWord(values.length, "forbidden AppArmor profile"),
    detail: `${setters.join(" and ")} must not set AppArmor profile type to ${quoteAll(values)}`,
  };
};

function isWrong(specOrContainer: Fields): boolean {
  const type = typeOf(specOrContainer);
  return type !== undefined && type !== "RuntimeDefault" && type !== "Localhost";
}

function typeOf(specOrContainer: Fields): string | undefined {
  const profile = childIf(contextOf(specOrContainer), "appArmorProfile");
  return profile && textOf(profile["type"]);
}

const prefix = "container.apparmor.security.beta.kubernetes.io/";

function wrongAnnotations({ annotations }: CheckedPod): string[] {
  const wrong = Object.entries(annotations).filter(([name, value]) => name.startsWith(prefix) && !isAllowed(value));
  return wrong.map(([name, value]) => `${name}=${JSON.stringify(value)}`).toSorted();
}

function isAllowed(value: string): boolean {
  return value === "" || value === "runtime/default" || value.startsWith("localhost/");
}
