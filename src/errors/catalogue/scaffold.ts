/** What a person asked to be scaffolded. */
export const scaffoldErrors = {
  TSOP_ALREADY_INITIALIZED: {
    message: "{root} is a project already: it has a PROJECT file",
    hint: "add to it: tsop create api --group <group> --kind <Kind>",
  },
  TSOP_INVALID_PROJECT_NAME: {
    message: "project name {value} is not valid: {rule}",
    hint: "give another one: tsop init --project-name my-operator",
  },
  TSOP_INVALID_DOMAIN: {
    message: "domain {value} is not valid: {rule}",
    hint: "give a domain that you own: tsop init --domain example.com",
  },
  TSOP_INVALID_GROUP: {
    message: "API group {value} is not valid: {rule}",
    hint: "give the part before the project's domain: --group cache",
  },
  TSOP_INVALID_VERSION: {
    message: "version {value} is not valid: {rule}",
    hint: "give a version like --version v1alpha1",
  },
  TSOP_INVALID_KIND: {
    message: "kind {value} is not valid: {rule}",
    hint: "give another one: --kind {better}",
  },
  TSOP_INVALID_PLURAL: {
    message: "plural {value} is not valid: {rule}",
    hint: "give a word in lower case: --plural memcacheds",
  },
  TSOP_SECOND_GROUP: {
    message: "the project has the group {other} already, {group} would be a second one",
    hint: "let it have many groups: tsop edit --multigroup",
  },
  TSOP_API_EXISTS: {
    message: "kind {kind} of {group}/{version} exists already",
    hint: "choose another kind or --version, or write it anew with --force",
  },
  TSOP_FILE_MISSING: {
    message: "{path} is missing, it has to be changed",
    hint: "take it from git: git checkout -- {path}",
  },
  TSOP_SCAFFOLD_POINT_MISSING: {
    message: "{path} has no comment `{marker}`, so this can't be inserted:\n{snippet}",
    hint: "put the comment back where such lines belong, then run the command again",
  },
  TSOP_GO_ONLY: {
    message: "{what} is of the Go tools",
    hint: "{instead}",
  },
} as const;
