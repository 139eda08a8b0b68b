/** The PROJECT file and plans. `{name}` in a message or hint is a fact that every throw site must give. */
export const projectErrors = {
  TSOP_PROJECT_NOT_FOUND: {
    message: "no PROJECT file in {cwd} or above",
    hint: "change into a project, or start one: tsop init --domain example.com",
  },
  TSOP_PROJECT_INVALID: {
    message: "{file} can't be read: {reason}",
    hint: "mend the file, or take it from git: git checkout -- PROJECT",
  },
  TSOP_PROJECT_VERSION: {
    message: "{file} has schema version {version}, this tsop reads 3",
    hint: "use the tsop that wrote it, or a newer one: npm install --save-dev tsop@latest",
  },
  TSOP_PROJECT_LAYOUT: {
    message: "{file} belongs to another kind of project: layout {layout}, not {wanted}",
    hint: "use the tool that made the project (operator-sdk or kubebuilder), or start a project of tsop in another folder",
  },
  TSOP_FILES_EXIST: {
    message: "these files exist and would be overwritten:\n{files}",
    hint: "move them away, or pass --force to overwrite",
  },
  TSOP_WRITE_FAILED: {
    message: "{path} can't be written: {reason}; nothing was changed",
    hint: "check permissions and free space, then run the command again",
  },
  TSOP_UNDO_FAILED: {
    message: "{path} can't be written: {reason}; the way back failed, too",
    hint: "look for files that end in .tsop-old (your texts) and .tsop-new, and see what changed: git status",
  },
} as const;
