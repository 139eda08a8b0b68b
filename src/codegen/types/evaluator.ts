import { posix } from "node:path";
import type { TSType, TSTypeReference, TSTypeParameterDeclaration } from "oxc-parser";
import type { JsonSchema } from "../../apimachinery/json-schema.ts";
import type { Report } from "../report.ts";
import { describe } from "../source/description.ts";
import type { TypeNode } from "../source/declarations.ts";
import type { ProjectSources } from "../source/project-sources.ts";
import { resolveExport, resolveImport, resolveName, type Resolved } from "../source/resolve.ts";
import { applyMarkers } from "./apply-markers.ts";
import { countSchemas, mostSchemas, mostTypes } from "./schema-size.ts";
import { flatten, useOf, type Draft } from "./schema-draft.ts";
import { enumMembers, enumValues } from "./literals.ts";
import { boundName } from "./bound-types.ts";
import { builtinTypeName, builtinTypeSchema, builtinVersion } from "./builtin-types.ts";
import { goTypeAdvice } from "./go-type-advice.ts";
import { knownType, knownTypeNames } from "./known-types.ts";
import { classSchema, interfaceSchema, literalSchema } from "./object-types.ts";
import { namesOf, placeOf, type Bound, type Scope } from "./scope.ts";
import { arrayOf, enumSchema, keywordSchema, tupleOf } from "./simple-types.ts";
import type { Bounds, ResolvedType, TypeEvaluator, Use } from "./type-evaluator.ts";
import { nameType } from "./type-names.ts";
import { unionSchema } from "./union-types.ts";
import { conditionalSchema, indexedAccess, mappedSchema, operatorSchema } from "./type-operators.ts";
import { intersectionSchema } from "./intersection-types.ts";
import { utilityType } from "./utility-types.ts";

type ResolvedPackageType = Extract<Resolved, { is: "package" }>;
type ResolvedMember = Extract<Resolved, { is: "member" }>;

type Construct<Node extends TSType> = (node: Node, scope: Scope, types: TypeEvaluator) => Draft;

/** The evaluators of constructs. Names and keywords are evaluated here. */
const constructs: { readonly [Type in TSType["type"]]?: Construct<Extract<TSType, { type: Type }>> } = {
  TSParenthesizedType: (node, scope, types) => types.schemaOf(node.typeAnnotation, scope),
  TSArrayType: (node, scope, types) => arrayOf(types.schemaOf(node.elementType, scope)),
  TSTypeLiteral: literalSchema,
  TSUnionType: unionSchema,
  TSLiteralType: unionSchema,
  TSIntersectionType: intersectionSchema,
  TSTupleType: tupleOf,
  TSTypeOperator: operatorSchema,
  TSIndexedAccessType: indexedAccess,
  TSMappedType: mappedSchema,
  TSConditionalType: conditionalSchema,
  TSTypeQuery: unionSchema,
  TSTemplateLiteralType: unionSchema,
};

/** Evaluates type expressions to schemas. Names are resolved lazily: unused types are never evaluated. */
export class Evaluator implements TypeEvaluator {
  readonly sources: ProjectSources;
  readonly report: Report;
  private readonly flat = new Map<string, JsonSchema>();
  private hasReportedSize = false;

  constructor(sources: ProjectSources, report: Report) {
    this.sources = sources;
    this.report = report;
  }

  schemaOf(node: TSType, scope: Scope): Draft {
    const construct = constructs[node.type] as Construct<TSType> | undefined;
    if (construct) return construct(node, scope, this);
    if (node.type === "TSTypeReference") return this.reference(node, scope);
    return node.type === "TSImportType" ? this.import(node, scope) : keywordSchema(node, scope, this);
  }

  /** Returns the flat schema of a declared type with its own markers and documentation. */
  declaredSchema(found: ResolvedType, bounds: Bounds): JsonSchema {
    const { module, declared, name } = found;
    const key = `${module.file.path}#${name}${bounds.label}`;
    const known = this.flat.get(key);
    if (known) return known;
    if (this.hasReportedSize) return {};
    if (bounds.stack.includes(key)) return this.recursive(bounds, key);
    const scope: Scope = {
      module,
      parameters: bounds.parameters,
      path: `${name}${bounds.label}`,
      stack: [...bounds.stack, key],
    };
    const draft = this.declaration(declared.node, scope);
    const text = describe(module.file.comments.get(declared.start));
    if (text) draft.description = text;
    applyMarkers(draft, module.markers.byDeclaration.get(declared.start) ?? [], { report: this.report });
    const whole = this.flatten(draft, declared.node, scope);
    const isTooLarge = countSchemas(whole) > mostSchemas || this.flat.size > mostTypes;
    if (isTooLarge && !this.hasReportedSize)
      this.report.error(placeOf(declared, scope), "TSOP_TYPE_LARGE", { name, most: mostSchemas });
    this.hasReportedSize ||= isTooLarge;
    const flat = isTooLarge ? {} : nameType(whole, { name: `${name}${bounds.label}`, file: module.file.path });
    this.flat.set(key, flat);
    return flat;
  }

  flatten(draft: Draft, node: { readonly start: number }, scope: Scope): JsonSchema {
    return flatten(draft, (key, kept, refused) =>
      this.report.error(placeOf(node, scope), "TSOP_TYPE_CONFLICT", {
        path: scope.path,
        reason: `${key} cannot be both ${String(kept)} and ${String(refused)}`,
        advice: "declare it in only one of the combined types",
      }),
    );
  }

  unsupported(node: { readonly start: number }, scope: Scope, what: string, advice: string): Draft {
    this.report.error(placeOf(node, scope), "TSOP_TYPE_UNSUPPORTED", { path: scope.path, what, advice });
    return {};
  }

  resolve(names: readonly string[], scope: Scope, as?: "value"): Resolved | undefined {
    const [first = "", ...rest] = names;
    let found = resolveName(this.sources, scope.module, first, as);
    for (const name of rest) found = this.member(found, name, as);
    return found;
  }

  private member(found: Resolved | undefined, name: string, as?: "value"): Resolved | undefined {
    if (found?.is === "namespace") return resolveExport(this.sources, found.module, name, as);
    if (found?.is === "type" && found.declared.node.type === "TSEnumDeclaration")
      return { is: "member", declaration: found.declared.node, name };
    return found?.is === "package" && found.name === "*" ? { ...found, name } : undefined;
  }

  private reference(node: TSTypeReference, scope: Scope): Draft {
    const names = namesOf(node.typeName);
    const name = names.join(".");
    const parameter = scope.parameters.get(name);
    if (parameter) return this.schemaOf(parameter.node, { ...parameter.scope, path: scope.path, stack: scope.stack });
    const found = this.resolve(names, scope);
    if (found) return this.use(found, node, scope);
    return utilityType(node, scope, this) ?? this.unknownName(node, name, scope);
  }

  private import(node: Extract<TSType, { type: "TSImportType" }>, scope: Scope): Draft {
    const name = node.qualifier?.type === "Identifier" ? node.qualifier.name : undefined;
    const found = name && resolveImport(this.sources, scope.module, { specifier: node.source.value, name });
    return found ? this.use(found, node, scope) : this.unknownName(node, `import("${node.source.value}")`, scope);
  }

  private use(found: Resolved, node: TSTypeReference | Extract<TSType, { type: "TSImportType" }>, scope: Scope): Draft {
    if (found.is === "type") {
      const bound = this.bind(found, node.typeArguments?.params ?? [], { node, scope });
      return useOf(this.declaredSchema(found, bound));
    }
    if (found.is === "package") return this.packageType(found, node, scope);
    if (found.is === "member") return this.enumMember(found, node, scope);
    const what = found.is === "constant" ? "a value" : "a module";
    return this.unsupported(node, scope, what, "name a type here");
  }

  /** Binds the type parameters of a declaration for one use. */
  bind(found: ResolvedType, given: readonly TSType[], { node, scope }: Use): Bounds {
    const parameters = new Map<string, Bound>();
    const own: Scope = { module: found.module, parameters, path: scope.path, stack: scope.stack };
    for (const [index, { name, default: fallback }] of parametersOf(found.declared.node).entries()) {
      const argument = given[index];
      if (argument) parameters.set(name.name, { node: argument, scope });
      else if (fallback) parameters.set(name.name, { node: fallback, scope: own });
    }
    const spelt = [...parameters.values()].map((bound) => this.spell(bound)).join(", ");
    const use = { ...placeOf(node, scope), path: scope.path };
    return { parameters, stack: scope.stack, label: spelt ? `<${spelt}>` : "", use };
  }

  private spell({ node, scope }: Bound): string {
    // The key of a mapped type is a literal without a place of its own.
    const raw = node.type === "TSLiteralType" && node.literal.type === "Literal" ? node.literal.raw : null;
    const text = raw ?? scope.module.file.text.slice(node.start, node.end);
    const inner = [...scope.parameters].filter(([name]) => new RegExp(`\\b${name}\\b`).test(text));
    return [text, ...inner.map(([name, bound]) => `${name}=${this.spell(bound)}`)].join(" with ");
  }

  private packageType({ specifier, name }: ResolvedPackageType, node: TSType, scope: Scope): Draft {
    const type = specifier === "tsop" || specifier.startsWith("tsop/k8s/") ? knownType(name) : undefined;
    if (type) return type.scalar ? { ...type.schema } : useOf(nameType(type.schema, { name }));
    if (boundName(node, scope, this))
      return this.unsupported(node, scope, `${name} alone`, `write it after the type that it limits: T & ${name}<…>`);
    const builtin = builtinTypeName(specifier, name);
    if (!builtin) return this.unknownImport({ specifier, name }, node, scope);
    const schema = builtinTypeSchema(builtin);
    if (specifier === "@kubernetes/client-node" && name === "V1Condition") {
      this.report.warning(placeOf(node, scope), "TSOP_CRD_ADVICE", {
        path: scope.path,
        reason: "V1Condition declares Dates, but the values are strings",
        advice: 'import type { Condition } from "tsop"',
      });
    }
    if (schema !== "recursive") return useOf(schema);
    return this.unsupported(node, scope, `${name}, which contains itself,`, "use RawExtension or JSONValue from tsop");
  }

  private unknownImport({ specifier, name }: { specifier: string; name: string }, node: TSType, scope: Scope): Draft {
    const release = `Kubernetes ${builtinVersion()}`;
    const untyped = this.sources.untyped.get(specifier);
    const other = untyped
      ? `there are no types at ${untyped}: build that package first, or declare the type in the project`
      : `import only from the project's files, installed packages and tsop; import types of ${release} from tsop/k8s/<group>/<version> or @kubernetes/client-node`;
    this.report.error(placeOf(node, scope), "TSOP_TYPE_UNKNOWN", {
      path: scope.path,
      name: `${name} in "${specifier}"`,
      advice: specifier === "tsop" ? `tsop exports ${knownTypeNames().join(", ")} and the types of meta/v1` : other,
    });
    return {};
  }

  private declaration(node: TypeNode, scope: Scope): Draft {
    if (node.type === "TSInterfaceDeclaration") return interfaceSchema(node, scope, this);
    if (node.type === "TSTypeAliasDeclaration") return this.schemaOf(node.typeAnnotation, scope);
    if (node.type !== "TSEnumDeclaration") return classSchema(node, scope, this);
    const values = enumValues(node);
    if (values) return enumSchema(values, node, scope, this);
    return this.unsupported(node, scope, "an enum with computed values", "give every member a literal value");
  }

  private enumMember({ declaration, name }: ResolvedMember, node: TSType, scope: Scope): Draft {
    const members = enumMembers(declaration);
    const value = members.get(name);
    if (value !== undefined) return enumSchema([value], node, scope, this);
    if (members.has(name))
      return this.unsupported(node, scope, "an enum member with a computed value", "give the member a literal value");
    this.report.error(placeOf(node, scope), "TSOP_TYPE_UNKNOWN", {
      path: scope.path,
      name: `${declaration.id.name}.${name}`,
      advice: `the members of ${declaration.id.name} are ${[...members.keys()].join(", ")}`,
    });
    return {};
  }

  private recursive({ stack, use }: Bounds, key: string): JsonSchema {
    const nameIn = (step: string): string => step.slice(step.indexOf("#") + 1);
    const cycle = [...stack.slice(stack.indexOf(key)), key].map(nameIn).join(" → ");
    this.report.error(use, "TSOP_TYPE_RECURSIVE", { path: use.path, cycle });
    return {};
  }

  private unknownName(node: TSType, name: string, scope: Scope): Draft {
    const [first = "", member] = name.split(".");
    const imported = scope.module.declarations.imports.get(first);
    const from = imported?.specifier;
    const isInNamespace = member !== undefined && imported !== undefined && imported.name !== "*";
    if (from?.startsWith(".") && !(isInNamespace && this.sources.find(from, scope.module)))
      return this.unknownInFile(node, { name, from }, scope);
    const computed = "typeArguments" in node && node.typeArguments?.params.some(({ type }) => type === "TSTypeQuery");
    const advice = computed
      ? "write the type explicitly: tsop does not evaluate values"
      : (goTypeAdvice(name) ??
        (isInNamespace
          ? `declare ${member} outside of a namespace, of which tsop reads no types, and import it by its name`
          : "import it, or check its spelling; its file must be part of the project"));
    this.report.error(placeOf(node, scope), "TSOP_TYPE_UNKNOWN", { path: scope.path, name, advice });
    return {};
  }

  private unknownInFile(node: TSType, { name, from }: { name: string; from: string }, scope: Scope): Draft {
    const file = this.sources.find(from, scope.module)?.file.path;
    this.report.error(placeOf(node, scope), "TSOP_TYPE_UNKNOWN", {
      path: scope.path,
      name: `${name} in "${from}"`,
      advice: file
        ? `export it from ${file}, or check its spelling`
        : `${posix.join(posix.dirname(scope.module.file.path), from)} does not exist: create it, or correct the import`,
    });
    return {};
  }
}

function parametersOf(
  node: { typeParameters?: TSTypeParameterDeclaration | null | undefined } | object,
): TSTypeParameterDeclaration["params"] {
  return ("typeParameters" in node && node.typeParameters?.params) || [];
}
