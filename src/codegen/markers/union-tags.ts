import type { ValidationRule } from "../../apimachinery/json-schema.ts";
import { caseWords, isCase, isOtherCase, access } from "./union-conditions.ts";
import { countRules } from "./one-of.ts";
import type { Marker } from "./marker.ts";

/** The arguments in parentheses: `(union: "name", memberName: "Name")`. */
export interface MemberArguments {
  readonly union?: string;
  readonly memberName?: string;
}

function unionTag(name: string, help: string): Marker<MemberArguments> {
  return { name, targets: ["field"], argument: { shape: "raw", parse: parseMember }, help };
}

export const unionDiscriminator: Marker<MemberArguments> = unionTag(
  "k8s:unionDiscriminator",
  "The field names the member of the union that is set.",
);

export const unionMember: Marker<MemberArguments> = unionTag(
  "k8s:unionMember",
  'The field is set if the discriminator has its name in CamelCase, or (memberName: "Name"); without a discriminator, exactly one member is set.',
);

export const zeroOrOneOfMember: Marker<MemberArguments> = unionTag(
  "k8s:zeroOrOneOfMember",
  "At most one of the fields with this marker is set.",
);

export const unionTags: readonly Marker[] = [unionDiscriminator, unionMember, zeroOrOneOfMember] as readonly Marker[];

/** A field of a union, in the order of the type. */
export interface UnionField {
  readonly field: string;
  readonly required: boolean;
  readonly is: Marker<MemberArguments>;
  readonly member: MemberArguments;
}

/** Writes the rules of the unions that the tags of an object's fields declare. */
export function unionTagRules(fields: readonly UnionField[]): ValidationRule[] {
  const unions = new Set(fields.map(({ member }) => member.union ?? ""));
  return [...unions].flatMap((union) => rulesOf(fields.filter(({ member }) => (member.union ?? "") === union)));
}

function rulesOf(fields: readonly UnionField[]): ValidationRule[] {
  const ofKind = (marker: Marker<MemberArguments>): UnionField[] => fields.filter(({ is }) => is === marker);
  const members = ofKind(unionMember);
  const some = ofKind(zeroOrOneOfMember).map(({ field }) => field);
  const [discriminator] = ofKind(unionDiscriminator);
  const names = members.map(({ field }) => field);
  const all = discriminator
    ? members.flatMap((member) => memberRules(member, discriminator))
    : names.length > 0
      ? [countRules.ExactlyOneOf(names)]
      : [];
  return [...all, ...(some.length > 0 ? [countRules.AtMostOneOf(some)] : [])];
}

function memberRules({ field, member }: UnionField, { field: name, required }: UnionField): ValidationRule[] {
  const by = { name, required, size: Infinity };
  const one = { values: [member.memberName ?? pascal(field)], absent: false };
  const words = caseWords(by, one);
  return [
    {
      rule: `${isOtherCase(by, one)} || has(${access([field])})`,
      message: `${field} is required when ${words}`,
      reason: "FieldValueRequired",
      fieldPath: `.${field}`,
    },
    {
      rule: `${isCase(by, one)} || !has(${access([field])})`,
      message: `${field} is allowed only when ${words}`,
      reason: "FieldValueForbidden",
      fieldPath: `.${field}`,
    },
  ];
}

function pascal(field: string): string {
  return field.slice(0, 1).toUpperCase() + field.slice(1);
}

function parseMember(raw: string): MemberArguments {
  const parts = [...raw.matchAll(/(union|memberName)\s*:\s*"([^"]*)"/g)].map(([, key = "", text = ""]) => [key, text]);
  return Object.fromEntries(parts) as MemberArguments;
}
