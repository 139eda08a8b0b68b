/** Errors of the PROJECT file and of plans. Each `{name}` in a message or hint is a fact that the throw must pass. */
export const projectErrors = {
  TSOP_PROJECT_NOT_FOUND: {
    message: "no PROJECT file in {cwd} or above",
    hint: "change into a project, or start one: tsop init --domain example.com",
  },
  TSOP_PROJECT_INVALID: {
    message: "{place}: PROJECT can't be read: {reason}",
    hint: "fix the file, or restore it: git checkout -- PROJECT",
  },
  TSOP_PROJECT_VALUE: {
    message: "{field} {value} is not valid: {rule}",
    hint: "fix the value, or restore the file: git checkout -- PROJECT",
  },
  TSOP_PROJECT_VERSION: {
    message: "{file} has {found}, this tsop reads {wanted}",
    hint: "use the tsop that wrote it: npm install, then npx tsop; or a newer one: npm install tsop@latest",
  },
  TSOP_PROJECT_NEWER: {
    message: "PROJECT records tsop {recorded}, this is the older {version}",
    hint: "use the tsop that the project depends on: npm install, then npx tsop; or a newer one: npx tsop@latest",
  },
  TSOP_PROJECT_LAYOUT: {
    message: "{file} has the layout {layout}, not {wanted}",
    hint: "use the tool that created the project (operator-sdk or kubebuilder), or create a tsop project in another folder",
  },
  TSOP_FILES_EXIST: {
    message: "these files exist and would be overwritten:\n{files}",
    hint: "move them away, or pass --force to overwrite",
  },
  TSOP_WRITE_FAILED: {
    message: "{path} can't be written: {reason}; nothing was changed",
    hint: "check permissions and free space, then run the command again",
  },
  TSOP_FILE_NOT_REGULAR: {
    message: "{path} is a FIFO, a socket or a device, which tsop does not read",
    hint: "name a file, or put one in its place",
  },
  TSOP_FILE_TOO_LARGE: {
    message: "{path} has {bytes} bytes; tsop reads {most} at most",
    hint: "name another file, or check what this one is: ls -l {path}",
  },
  TSOP_FOLDER_UNUSABLE: {
    message: "{folder} can't be used as a folder: {reason}",
    hint: "check its permissions, remove the file in its place, or choose another folder",
  },
  TSOP_OUTSIDE: {
    message: "{path} is outside of {root}, by its name or through a symbolic link; nothing was changed",
    hint: "name a path in the project, or replace the link by a folder",
  },
  TSOP_BUSY: {
    message: "{root} is still in use by {purpose} (process {pid}) after {seconds} seconds; nothing was changed",
    hint: "wait for that command or end it (kill {pid}), then run this one again",
  },
  TSOP_UNDO_FAILED: {
    message: "{path} can't be written: {reason}; the previous files could not be restored either",
    hint: "the next tsop command that writes restores them; until then they are in files that end in .tsop-old",
  },
} as const;
