import { isObject } from "../../apimachinery/is-object.ts";
import { mostLevels } from "../../apimachinery/levels.ts";
import { measureJson } from "../../apiserver/codec/measure-json.ts";
import type { Snapshot } from "../../apiserver/storage/store.ts";
import { messageOf } from "../../errors/message-of.ts";
import { TsopError } from "../../errors/tsop-error.ts";
import { readIfThere } from "./read-if-there.ts";

/** Reads the state of a version that kept it as one JSON text; `undefined` if there is none. */
export function readEarlierState(file: string): Snapshot | undefined {
  const text = readIfThere(file);
  try {
    return text && parseState(text.toString());
  } catch (cause) {
    throw new TsopError("TSOP_STATE_INVALID", { file, reason: messageOf(cause) }, { cause });
  }
}

function parseState(text: string): Snapshot {
  // Below the state, its resources and the keys of their objects.
  if (measureJson(text).depth > mostLevels + 3) throw new Error(`an object has more than ${mostLevels} levels`);
  const state = JSON.parse(text) as Snapshot & { format: number };
  const { format, revision, objects } = state;
  const isState =
    format === 1 &&
    Number.isSafeInteger(revision) &&
    isObject(objects) &&
    Object.values(objects).every(
      (entries) => isObject(entries) && Object.values(entries).every((object) => isObject(object?.metadata)),
    );
  if (!isState) throw new Error("its format is not that of this version");
  return state;
}
