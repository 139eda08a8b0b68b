#!/usr/bin/env node
"use strict";
// Loads the tool from one file, with the code that V8 compiled for the same command before: compiling is most of the
// time of a short command that is not spent on starting Node.
const fs = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

const file = join(__dirname, "../dist/tool.cjs");
const argv = process.argv.slice(2);
// Scripts ask for the version often; the build has written the answer.
const isVersion = /^(version|--version|-v)$/.test(argv.join(" "));

const source = readBuilt(isVersion ? "version.txt" : "tool.cjs");
if (source === undefined) {
  const checkout = join(__dirname, "..");
  process.stderr.write(`error: this checkout of tsop is not built\nhint: cd ${checkout} && npm ci && npm run build\n`);
  process.exitCode = 1;
} else if (isVersion) {
  print(source.replace("NODE", process.version));
} else {
  void run(source);
}

/** Writes a line without a stream: Node loads 40 modules for one. */
function print(text) {
  try {
    fs.writeSync(1, text);
  } catch ({ code, message }) {
    if (code === "EAGAIN") return void process.stdout.write(text);
    // A reader that stops reading is not a failure.
    if (code === "EPIPE" || code === "EIO") return;
    process.stderr.write(`error: cannot write to the standard output: ${message}\n`);
    process.exitCode = 1;
  }
}

async function run(text) {
  const vm = require("node:vm");
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
  process.exitCode = await load("cli/main.js").main(argv, io);
  if (!process.exitCode) keep();
}

/** The build writes ASCII characters only, so that bytes are characters. */
function readBuilt(name) {
  try {
    return fs.readFileSync(join(__dirname, "../dist", name), "latin1");
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
        // The second word may be an argument of any name.
        if (fs.readdirSync(folder).length > 100) return;
        const temporary = `${path}.${process.pid}`;
        fs.writeFileSync(temporary, Buffer.concat([data, data]), { mode: 0o600 });
        fs.renameSync(temporary, path);
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

/** Removes the code of other versions, a week after they last kept some. */
function removeUnused(root) {
  const limit = Date.now() - 7 * 24 * 3600 * 1000;
  for (const name of fs.readdirSync(root)) {
    const folder = join(root, name);
    if (fs.statSync(folder).mtimeMs < limit) fs.rmSync(folder, { recursive: true, force: true });
  }
}
