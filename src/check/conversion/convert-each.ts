import { cloneJson } from "../../apimachinery/clone.ts";
import { equalJson } from "../../apimachinery/equal.ts";
import { groupBy } from "../../apimachinery/group-by.ts";
import { isObject } from "../../apimachinery/is-object.ts";
import type { UnstructuredObject } from "../../apimachinery/meta.ts";
import { messageOf } from "../../errors/message-of.ts";
import type { Conversion } from "./conversion.ts";

/** Converts a batch of objects to a version, or throws an Error with the reason why not. */
export type Convert = (objects: readonly UnstructuredObject[], apiVersion: string) => Promise<readonly unknown[]>;

/** What became of one object of a batch. */
export interface Answer {
  readonly object?: UnstructuredObject;
  readonly refusal?: string;
  /** Why its batch was refused although each of its objects is converted alone. */
  readonly batchRefusal?: string;
  /** True if the converter has changed the object that it was given. */
  readonly isMutated?: boolean;
}

/** The objects of a request; one that should be refused is sent alone. */
const batchSize = 50;

type Wanted = Pick<Conversion, "object" | "to" | "mistake">;

/** Converts objects in batches; a batch that is refused is divided until it is known whose fault that is. */
export async function convertEach(convert: Convert, wanted: readonly Wanted[]): Promise<Answer[]> {
  const answers = new Map<Wanted, Answer>();
  const sortOf = ({ object, to, mistake }: Wanted): string => `${object.apiVersion} ${to} ${mistake !== undefined}`;
  for (const group of groupBy(wanted, sortOf).values()) {
    const size = group[0]!.mistake ? 1 : batchSize;
    for (let at = 0; at < group.length; at += size) {
      const batch = group.slice(at, at + size);
      const objects = batch.map(({ object }) => object);
      const converted = await convertBatch(convert, objects, batch[0]!.to);
      batch.forEach((each, index) => answers.set(each, converted[index]!));
    }
  }
  return wanted.map((each) => answers.get(each)!);
}

async function convertBatch(convert: Convert, objects: readonly UnstructuredObject[], to: string): Promise<Answer[]> {
  const given = objects.map((object) => cloneJson(object));
  try {
    const answers = await convert(given, to);
    if (answers.length !== objects.length)
      throw new Error(`the answer has ${answers.length} objects instead of ${objects.length}`);
    return answers.map((answer, index) => ({
      ...readAnswer(answer),
      isMutated: !equalJson(given[index], objects[index]),
    }));
  } catch (error) {
    if (objects.length === 1) return [{ refusal: messageOf(error) }];
    const middle = Math.ceil(objects.length / 2);
    const first = await convertBatch(convert, objects.slice(0, middle), to);
    const answers = [...first, ...(await convertBatch(convert, objects.slice(middle), to))];
    if (answers.some(({ refusal, batchRefusal }) => refusal ?? batchRefusal)) return answers;
    return answers.map((answer) => ({ ...answer, batchRefusal: messageOf(error) }));
  }
}

function readAnswer(answer: unknown): Answer {
  if (!isObject(answer)) return { refusal: "the answer is not an object" };
  // As JSON: a function may return fields that are undefined.
  const object = JSON.parse(JSON.stringify(answer)) as UnstructuredObject;
  return { object: { ...object, metadata: isObject(object.metadata) ? object.metadata : {} } };
}
