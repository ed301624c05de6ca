import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const DEFAULTS = {
  retries: 3,
  timeout: 1000,
};

/** Read one record. */
export async function load(name, options) {
  const settings = { ...DEFAULTS, ...options };
  const text = await readFile(path.join(root, name), "utf8");
  return parse(text, settings);
}

export class Store {
  constructor(root) {
    this.root = root;
    this.cache = new Map();
  }

  clear() {
    this.cache.clear();
  }

  get size() {
    return this.cache.size;
  }
}

function parse(text, settings) {
  switch (settings.format) {
    case "json":
      return JSON.parse(text);
    case "lines":
      return text.split("\n");
    default:
      return text;
  }
}

export { parse, root };
