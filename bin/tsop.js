#!/usr/bin/env node
"use strict";
// Loads the tool from one file, with the code that V8 compiled for the same command before: compiling is most of the
// time of a short command that is not spent on starting Node.
const { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const vm = require("node:vm");

const file = join(__dirname, "../dist/tool.cjs");
const argv = process.argv.slice(2);
// Scripts ask for it often; the command tree, which it does not need, is most of its time.
const isVersion = /^(version|--version|-v)$/.test(argv.join(" "));

const source = readSource();
if (source === undefined) {
  const checkout = join(__dirname, "..");
  process.stderr.write(`error: this checkout of tsop is not built\nhint: cd ${checkout} && npm ci && npm run build\n`);
  process.exitCode = 1;
} else {
  void run(source);
}

async function run(text) {
  const cache = codeCache(text);
  const script = new vm.Script(text, {
    filename: file,
    cachedData: cache?.read(),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  let isKept = script.cachedDataRejected === false;
  const keep = () => {
    if (!isKept) cache?.write(script.createCachedData());
    isKept = true;
  };
  // A command that runs longer has started by then, and may be ended by a signal.
  setTimeout(keep, 3000).unref();
  const load = script.runInThisContext()(require, pathToFileURL(file).href);
  const io = load("cli/terminal/real-io.js").realIo();
  if (isVersion) await load("cli/package/print-version.js").printVersion(io);
  else process.exitCode = await load("cli/main.js").main(argv, io);
  if (!process.exitCode) keep();
}

/** The file has ASCII characters only, so that its bytes are its characters. */
function readSource() {
  try {
    return readFileSync(file, "latin1");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * A file for each command, in the user's folder for caches: its code is run, so nobody else may write it. Without such a
 * folder, or without the rights or the space to write there, V8 compiles anew. V8 would run damaged code, so the file
 * holds the code twice: to compare the halves is faster than to load a function for checksums.
 */
function codeCache(text) {
  const root = cacheFolder();
  if (!root) return undefined;
  const folder = join(root, `${text.slice(3, 19)}-${process.version}-${process.arch}`);
  const words = /^[a-z-]*(?: [a-z][a-z-]*)?/.exec(argv.join(" "))[0];
  const path = join(folder, `${words.replace(" ", "_") || "tsop"}.bin`);
  return {
    read() {
      try {
        const twice = readFileSync(path);
        const once = twice.subarray(0, twice.length / 2);
        return once.equals(twice.subarray(once.length)) ? once : undefined;
      } catch {
        return undefined;
      }
    },
    write(data) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        removeUnused(root);
        // The second word may be an argument of any name.
        if (readdirSync(folder).length > 100) return;
        const temporary = `${path}.${process.pid}`;
        writeFileSync(temporary, Buffer.concat([data, data]), { mode: 0o600 });
        renameSync(temporary, path);
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

/** Removes the code of other versions, a month after they last kept some. */
function removeUnused(root) {
  const limit = Date.now() - 30 * 24 * 3600 * 1000;
  for (const name of readdirSync(root)) {
    const folder = join(root, name);
    if (statSync(folder).mtimeMs < limit) rmSync(folder, { recursive: true, force: true });
  }
}
