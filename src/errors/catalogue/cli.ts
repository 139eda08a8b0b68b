/** Errors in a user's input, and in the steps of a command. */
export const cliErrors = {
  TSOP_NODE_TOO_OLD: {
    message: "tsop needs Node {needed} or newer, this is {found}",
    hint: "install a newer Node: https://nodejs.org",
  },
  TSOP_PARSER_MISSING: {
    message: "the parser of TypeScript, oxc-parser, is not installed for {system}",
    hint: "packages that were installed on another system, such as WSL, do not run here: remove node_modules and run npm ci",
  },
  TSOP_DISK_FULL: {
    message: "the disk is full: {reason}",
    hint: "free some space, or let TMPDIR name a folder with more of it, and run the command again",
  },
  TSOP_COMMAND_ABSENT: {
    message: "tsop has no command {name}",
    hint: "{instead}",
  },
  TSOP_NO_ANSWER: {
    message: "{question} was not answered",
    hint: "answer it, or pass {flag}",
  },
  TSOP_JSON_INVALID: {
    message: "{file} is not the JSON of an object: {reason}",
    hint: "correct the file, and run the command again",
  },
  TSOP_INTERRUPTED: {
    message: "interrupted",
    hint: "start the command again",
  },
  TSOP_PACK_FAILED: {
    message: "the checkout {checkout} can't be packed for the project: {reason}",
    hint: "build it first (npm run build), or say where tsop comes from: tsop init --tsop <spec>",
  },
  TSOP_INSTALL_FAILED: {
    message: "the project is written, but {manager} install failed:\n{reason}",
    hint: "run {manager} install in the project",
  },
  TSOP_PACKAGE_MANAGER_MISSING: {
    message: "{manager} is not installed",
    hint: "install it (npm install --global {manager}), use another one (--package-manager npm), or install the packages later (--skip-install)",
  },
  TSOP_NOT_UP_TO_DATE: {
    message: "these files are out of date:\n{files}",
    hint: "regenerate them: tsop generate {name}",
  },
  TSOP_TREE_DIRTY: {
    message: "{root} has changes that are not committed:\n{files}",
    hint: "commit them first, so that git can take the update back (git add -A && git commit), or pass --force",
  },
  TSOP_REPLAY_FAILED: {
    message: "tsop {version} can't scaffold the project of PROJECT again: {command}\n{reason}",
    hint: "fix PROJECT, or name a folder with the project as tsop {version} scaffolds it: tsop update --base <dir>",
  },
  TSOP_BASE_UNKNOWN: {
    message: "there is no base to compare the project with: {reason}",
    hint: "name a folder with the package of that tsop, or with the project as that tsop scaffolds it: tsop update --base <dir>",
  },
  TSOP_UPDATE_CONFLICTS: {
    message: "the project is updated, but these places need a decision, between <<<<<<< and >>>>>>>:\n{places}",
    hint: "edit them, then {install} && make generate manifests test",
  },
  TSOP_OUTPUT_NOT_EMPTY: {
    message: "{folder} is not empty",
    hint: "name a new folder: tsop alpha generate --output-dir <dir>; to change a project in place: tsop update",
  },
  TSOP_INSTALL_INTERRUPTED: {
    message: "interrupted while {manager} was installing; the project itself is complete",
    hint: "{manager} install",
  },
  TSOP_OUTPUT_FAILED: {
    message: "cannot write to the standard output: {reason}",
    hint: "free space where the output goes, or send it elsewhere; the command itself may be done",
  },
} as const;
