"use strict";
// Loads the tool from its two files, with the code that V8 compiled for the same purpose before: compiling is most of the time of
// a short command that is not spent on starting Node.
const fs = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

/** A process that still runs after this time in milliseconds is not a short command. */
const longCommand = 3000;
let load;

/**
 * Returns the function that loads a part of the tool by its name. The compiled code is kept by `purpose`, which names what
 * the process does with it.
 */
exports.loadTool = (purpose) => {
  let server;
  const loadServer = (name) => (server ??= run("server.cjs", `${purpose}.server`, load))(name);
  load ??= run("tool.cjs", purpose, loadServer);
  return load;
};

/** Reads a file of the build, which writes ASCII characters only, so that bytes are characters. */
exports.readBuilt = (name) => fs.readFileSync(join(__dirname, "../dist", name), "latin1");

/** Runs a pack; `loadOther` loads a part of the other one. */
function run(name, purpose, loadOther) {
  const vm = require("node:vm");
  const file = join(__dirname, "../dist", name);
  const text = exports.readBuilt(name);
  const cache = codeCache(text, purpose);
  // Kept code keeps this name, and other copies of the tool use the code: a path would be that of another project.
  const filename = `tsop/dist/${name}`;
  const script = new vm.Script(text, { filename, cachedData: cache?.read() });
  if (cache && script.cachedDataRejected !== false) keepLater(() => cache.write(script.createCachedData()));
  return script.runInThisContext()(require, (module) => import(module), pathToFileURL(file).href, loadOther);
}

/** Calls `keep` at the end, or once the work has begun: a process that goes on may be ended by a signal. */
function keepLater(keep) {
  const timer = setTimeout(() => {
    process.off("exit", atExit);
    keep();
  }, longCommand).unref();
  const atExit = (code) => {
    clearTimeout(timer);
    if (code === 0) keep();
  };
  process.once("exit", atExit);
}

/**
 * A file for each purpose, in the user's folder for caches: its code is run, so nobody else may write it. Without such a
 * folder, or without the rights or the space to write there, V8 compiles anew. V8 would run damaged code, so the file
 * holds the code twice: to compare the halves is faster than to load a function for checksums.
 */
function codeCache(text, purpose) {
  const root = cacheFolder();
  if (!root) return undefined;
  const folder = join(root, `${text.slice(3, 19)}-${process.version}-${process.arch}`);
  const path = join(folder, `${purpose}.bin`);
  return {
    read() {
      try {
        const twice = fs.readFileSync(path);
        const once = twice.subarray(0, twice.length / 2);
        return once.equals(twice.subarray(once.length)) ? once : undefined;
      } catch {
        return undefined;
      }
    },
    write(data) {
      try {
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        removeUnused(root);
        // A purpose may contain an argument of any name.
        if (fs.readdirSync(folder).length > 100) return;
        const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
        try {
          fs.writeFileSync(temporary, Buffer.concat([data, data]), { mode: 0o600 });
          fs.renameSync(temporary, path);
        } finally {
          fs.rmSync(temporary, { force: true });
        }
      } catch {
        // The next run compiles again, too.
      }
    },
  };
}

function cacheFolder() {
  const { env, platform } = process;
  if (env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  if (platform === "win32") return env.LOCALAPPDATA && join(env.LOCALAPPDATA, "tsop", "Cache");
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, "tsop");
  return env.HOME && join(env.HOME, platform === "darwin" ? "Library/Caches/tsop" : ".cache/tsop");
}

/**
 * Removes the code of other versions, a week after they last kept some. Whatever else is in the folder stays: the variable
 * may name one that is used otherwise.
 */
function removeUnused(root) {
  const limit = Date.now() - 7 * 24 * 3600 * 1000;
  for (const name of fs.readdirSync(root)) {
    if (!/^[0-9a-f]{16}-v\d+\.\d+\.\d+\S*-\w+$/.test(name)) continue;
    const folder = join(root, name);
    try {
      if (fs.statSync(folder).mtimeMs < limit) fs.rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another process removes it, or another user wrote it.
    }
  }
}
