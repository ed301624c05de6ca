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
  return decode(text, settings);
}

export class Store {
  constructor(root) {
    this.root = root;
    this.cache = new Map();
  }

  get size() {
    return this.cache.size;
  }

  clear() {
    this.cache.clear();
  }
}

function decode(text, settings) {
  switch (settings.format) {
    case "json": // strict
      return JSON.parse(text);
    case "lines":
      return text.split("\n");
    default:
      return text;
  }
}

export { decode, root };
